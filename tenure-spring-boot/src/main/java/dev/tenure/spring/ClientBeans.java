package dev.tenure.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/**
 * The beans of a type, and which of them injection would take.
 *
 * @param names of all that are meant for injection
 * @param obvious the only one, or the only primary one, or the only one that is no fallback; else none
 */
record ClientBeans(List<String> names, List<String> obvious) {

    static ClientBeans of(ConfigurableListableBeanFactory beans, Class<?> type) {
        List<String> names = new ArrayList<>();
        for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type)) {
            if (is(beans, name, BeanDefinition::isAutowireCandidate, true)) {
                names.add(name);
            }
        }
        List<String> usual = those(
                names,
                name -> is(
                        beans,
                        name,
                        definition -> !(definition instanceof AbstractBeanDefinition full) || full.isDefaultCandidate(),
                        true));
        List<String> obvious = those(usual, name -> is(beans, name, BeanDefinition::isPrimary, false));
        if (obvious.isEmpty()) {
            obvious = usual.size() == 1
                    ? usual
                    : those(usual, name -> is(beans, name, definition -> !definition.isFallback(), true));
        }
        return new ClientBeans(names, obvious.size() == 1 ? obvious : List.of());
    }

    boolean isObvious(String name) {
        return obvious.contains(name);
    }

    private static List<String> those(List<String> names, Predicate<String> which) {
        return names.stream().filter(which).toList();
    }

    /**
     * @param otherwise for a bean that has no definition
     */
    private static boolean is(
            ConfigurableListableBeanFactory beans, String name, Predicate<BeanDefinition> what, boolean otherwise) {
        return beans.containsBeanDefinition(name) ? what.test(beans.getMergedBeanDefinition(name)) : otherwise;
    }
}
