package dev.tenure.cli;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Whether anybody still reads the pipe that standard output is. A write would tell, but there may be none for hours.
 * On Linux only, and only of processes that this user may look at: nothing known is no reason to end.
 */
final class PipeReaders {
    private static final Path OWN = Path.of("/proc/self/fd/1");
    private static final Path PROCESSES = Path.of("/proc");
    private static final Path SELF =
            PROCESSES.resolve(Long.toString(ProcessHandle.current().pid()));

    private final Optional<Path> pipe;
    private Optional<Path> reader = Optional.empty();

    private PipeReaders(Optional<Path> pipe) {
        this.pipe = pipe;
    }

    /**
     * To be called before anything is written, while the reader is surely there.
     */
    static PipeReaders ofStandardOutput() {
        PipeReaders readers =
                new PipeReaders(target(OWN).filter(target -> target.toString().startsWith("pipe:")));
        if (readers.pipe.isPresent()) {
            readers.reader = readers.find();
        }
        return readers;
    }

    /**
     * Whether a process was seen to read and none does any more.
     */
    boolean areGone() {
        if (pipe.isEmpty() || reader.filter(this::reads).isPresent()) {
            return false;
        }
        boolean known = reader.isPresent();
        reader = find();
        return known && reader.isEmpty();
    }

    private Optional<Path> find() {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path process : processes) {
                Optional<Path> found = process.equals(SELF) ? Optional.empty() : findIn(process);
                if (found.isPresent()) {
                    return found;
                }
            }
        } catch (IOException | DirectoryIteratorException unknown) {
            return reader;
        }
        return Optional.empty();
    }

    private Optional<Path> findIn(Path process) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                if (reads(descriptor)) {
                    return Optional.of(descriptor);
                }
            }
        } catch (IOException | DirectoryIteratorException notOurs) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    private boolean reads(Path descriptor) {
        return target(descriptor).equals(pipe) && isForReading(descriptor);
    }

    private static boolean isForReading(Path descriptor) {
        Path process = descriptor.resolve("../..").normalize();
        try {
            List<String> lines = Files.readAllLines(process.resolve("fdinfo").resolve(descriptor.getFileName()));
            return lines.stream()
                    .filter(line -> line.startsWith("flags:"))
                    .anyMatch(line -> !line.endsWith("1")); // the last octal digit: 0 to read, 1 to write, 2 for both
        } catch (IOException gone) {
            return false;
        }
    }

    private static Optional<Path> target(Path link) {
        try {
            return Optional.of(Files.readSymbolicLink(link));
        } catch (IOException | UnsupportedOperationException none) {
            return Optional.empty();
        }
    }
}
