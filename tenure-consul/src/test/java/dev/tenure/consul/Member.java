package dev.tenure.consul;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tenure.Tenure;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The program of a {@link MemberProcess}: stands for one role and writes registers while it leads. It is told what to
 * do, and tells what it did, a line each; when its input ends, so does it.
 */
final class Member {
    static final String ROLE = "writer";
    static final Duration LEASE = Duration.ofSeconds(10);
    static final Duration LOCK_DELAY = Duration.ofSeconds(1);

    private static final OutputStream OUT = new FileOutputStream(FileDescriptor.out);

    private Member() {}

    /**
     * Takes the agent's URL, the registers' URL and a name.
     */
    public static void main(String[] arguments) throws IOException, SQLException {
        RegisterWork work = new RegisterWork(arguments[1]);
        Tenure tenure = Tenure.builder(ConsulLeaseStore.builder(arguments[0])
                        .lockDelay(LOCK_DELAY)
                        .build())
                .instance(arguments[2])
                .defaults(options -> options.lease(LEASE))
                .build();
        tenure.elector(ROLE, work).start();
        tell(System.nanoTime(), "stands", 0, "");
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            switch (order) {
                case "hold" -> work.hold();
                case "go" -> work.go();
                case "end" -> {
                    tenure.close();
                    work.close();
                    tell(System.nanoTime(), "ended", 0, "");
                    return; // no thread is left that would keep the process
                }
                default -> throw new IllegalArgumentException(order);
            }
        }
        Runtime.getRuntime().halt(1);
    }

    /**
     * In one system call, so that a process that is killed leaves no half line.
     */
    static synchronized void tell(long at, String what, long token, String detail) {
        try {
            OUT.write((at + " " + what + " " + token + " " + detail + "\n").getBytes(UTF_8));
        } catch (IOException nobodyListens) {
            throw new UncheckedIOException(nobodyListens);
        }
    }
}
