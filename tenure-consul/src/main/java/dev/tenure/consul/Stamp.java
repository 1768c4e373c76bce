package dev.tenure.consul;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * By which a change of a file shows, also where another file took its place. Links are followed.
 *
 * @param file null where the file system has no such thing
 */
record Stamp(FileTime modified, long size, @Nullable Object file) {
    static Stamp of(Path path) throws IOException {
        BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
        return new Stamp(now.lastModifiedTime(), now.size(), now.fileKey());
    }
}
