package dev.tenure.cli;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/**
 * How this very program is started again, small and quick to start.
 */
final class OwnProgram {
    private static final int ASKS_FOR_NATIVE_ACCESS = 22;

    private OwnProgram() {}

    /**
     * The words before its arguments.
     */
    static List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xlog:disable"));
        String modules = System.getProperty("jdk.module.path");
        String module = Main.class.getModule().getName();
        boolean modular = modules != null && module != null;
        if (Runtime.version().feature() >= ASKS_FOR_NATIVE_ACCESS) {
            command.add("--enable-native-access=" + (modular ? "org.xerial.sqlitejdbc" : "ALL-UNNAMED"));
        }
        if (modular) {
            command.addAll(List.of("-p", modules, "-m", module + "/" + Main.class.getName()));
        } else {
            command.addAll(List.of("-cp", System.getProperty("java.class.path", ""), Main.class.getName()));
        }
        return command;
    }
}
