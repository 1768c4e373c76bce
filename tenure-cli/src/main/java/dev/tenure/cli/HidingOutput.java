package dev.tenure.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Passes on UTF-8 text without the secrets in it, at the end of each line and at each flush.
 */
final class HidingOutput extends OutputStream {
    private final OutputStream out;
    private final Secrets secrets;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

    HidingOutput(OutputStream out, Secrets secrets) {
        this.out = out;
        this.secrets = secrets;
    }

    @Override
    public synchronized void write(int b) throws IOException {
        pending.write(b);
        if (b == '\n') {
            passOn();
        }
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) throws IOException {
        pending.write(bytes, from, length);
        if (length > 0 && bytes[from + length - 1] == '\n') {
            passOn();
        }
    }

    @Override
    public synchronized void flush() throws IOException {
        passOn();
        out.flush();
    }

    private void passOn() throws IOException {
        if (pending.size() > 0) {
            byte[] safe = secrets.hide(pending.toString(StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
            pending.reset();
            out.write(safe);
        }
    }
}
