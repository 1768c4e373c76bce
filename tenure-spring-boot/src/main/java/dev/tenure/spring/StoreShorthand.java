package dev.tenure.spring;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.convert.ConverterNotFoundException;

/**
 * Takes {@code tenure.store} as the URL, if nothing below it is set: the command's variable {@code TENURE_STORE} looks
 * like it, and would otherwise be no store that Boot can bind.
 */
final class StoreShorthand implements ConfigurationPropertiesBindHandlerAdvisor {
    private static final ConfigurationPropertyName STORE = ConfigurationPropertyName.of("tenure.store");

    @Override
    public BindHandler apply(BindHandler handler) {
        return new AbstractBindHandler(handler) {
            @Override
            public @Nullable Object onFailure(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
                    throws Exception {
                if (name.equals(STORE) && error instanceof ConverterNotFoundException) {
                    for (ConfigurationPropertySource source : context.getSources()) {
                        ConfigurationProperty alone = source.getConfigurationProperty(STORE);
                        if (alone != null) {
                            String url = String.valueOf(alone.getValue());
                            return new TenureProperties.Store(url, null, null, Map.of(), null, null, false);
                        }
                    }
                }
                return super.onFailure(name, target, context, error);
            }
        };
    }
}
