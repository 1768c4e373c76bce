package dev.tenure.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * One command on a connection of its own.
 */
final class Resp {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int ANSWER_MILLIS = 60_000;

    private Resp() {}

    /**
     * The answer as text: nil is empty, an array has a line for each element.
     *
     * @param password empty for none
     * @throws IllegalStateException if the server answers with an error
     */
    static String ask(int port, String password, String... command) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            if (!password.isEmpty()) {
                socket.getOutputStream().write(request("AUTH", password));
                answer(in);
            }
            socket.getOutputStream().write(request(command));
            return answer(in);
        }
    }

    private static byte[] request(String... words) {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(("*" + words.length + "\r\n").getBytes(UTF_8));
        for (String word : words) {
            byte[] bytes = word.getBytes(UTF_8);
            request.writeBytes(("$" + bytes.length + "\r\n").getBytes(UTF_8));
            request.writeBytes(bytes);
            request.writeBytes("\r\n".getBytes(UTF_8));
        }
        return request.toByteArray();
    }

    private static String answer(InputStream in) throws IOException {
        int kind = in.read();
        String line = line(in);
        return switch (kind) {
            case '+', ':' -> line;
            case '-' -> throw new IllegalStateException(line);
            case '$' -> bulk(in, Integer.parseInt(line));
            case '*' -> array(in, Integer.parseInt(line));
            default -> throw new EOFException("no answer but " + kind + " " + line);
        };
    }

    private static String bulk(InputStream in, int length) throws IOException {
        if (length < 0) {
            return "";
        }
        byte[] bytes = in.readNBytes(length);
        line(in);
        return new String(bytes, UTF_8);
    }

    private static String array(InputStream in, int length) throws IOException {
        List<String> elements = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            elements.add(answer(in));
        }
        return String.join("\n", elements);
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("connection ended");
            }
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(UTF_8);
    }
}
