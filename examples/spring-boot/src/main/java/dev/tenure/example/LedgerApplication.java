package dev.tenure.example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * A service of several instances, one of which writes the ledger.
 */
@SpringBootApplication
@EnableScheduling
public class LedgerApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(LedgerApplication.class, arguments);
    }
}
