package dev.tenure.consul;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Private keys as the JDK reads them, PKCS#8, made of the older forms, which PKCS#8 holds within itself.
 */
final class Der {
    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final int PARAMETERS = 0xA0;
    private static final byte[] VERSION = {2, 1, 0};

    /**
     * rsaEncryption, and no parameters.
     */
    private static final byte[] RSA = HexFormat.of().parseHex("06092a864886f70d0101010500");

    /**
     * ecPublicKey.
     */
    private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");

    private Der() {}

    /**
     * Of PKCS#1.
     */
    static byte[] ofRsa(byte[] key) {
        return pkcs8(RSA, key);
    }

    /**
     * Of SEC 1; empty if it names no curve.
     */
    static byte[] ofEc(byte[] key) {
        byte[] curve = curve(key);
        return curve.length == 0 ? curve : pkcs8(joined(EC, curve), key);
    }

    private static byte[] pkcs8(byte[] algorithm, byte[] key) {
        return element(SEQUENCE, joined(VERSION, element(SEQUENCE, algorithm), element(OCTETS, key)));
    }

    /**
     * What is in the first element, of those within the outer one, that has the tag of parameters.
     */
    private static byte[] curve(byte[] key) {
        try {
            int at = contentAt(key, 0);
            while (at < key.length) {
                int content = contentAt(key, at);
                int end = content + length(key, at + 1);
                if ((key[at] & 0xFF) == PARAMETERS) {
                    return Arrays.copyOfRange(key, content, end);
                }
                at = end;
            }
        } catch (ArrayIndexOutOfBoundsException | IllegalArgumentException broken) {
            // no such key
        }
        return new byte[0];
    }

    private static int contentAt(byte[] der, int at) {
        int first = der[at + 1] & 0xFF;
        return at + 2 + (first < 0x80 ? 0 : first - 0x80);
    }

    private static int length(byte[] der, int at) {
        int first = der[at] & 0xFF;
        if (first < 0x80) {
            return first;
        }
        if (first > 0x82) {
            throw new IllegalArgumentException("too long for a key");
        }
        int length = 0;
        for (int i = 1; i <= first - 0x80; i++) {
            length = (length << 8) | (der[at + i] & 0xFF);
        }
        return length;
    }

    private static byte[] element(int tag, byte[] content) {
        int length = content.length;
        byte[] head = length < 0x80
                ? new byte[] {(byte) tag, (byte) length}
                : length < 0x100
                        ? new byte[] {(byte) tag, (byte) 0x81, (byte) length}
                        : new byte[] {(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length};
        return joined(head, content);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
