/* How libFuzzer changes an input of `websocket`: every second time by whole frames, since the
 * frames are read by a library that it does not see into. A frame is added, said once more or left
 * out. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { FRAMES_MAX = 64, PAYLOAD_MAX = 310, HEAD_MAX = 8 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* Where each frame begins, and the end; returns the number of frames that are whole. */
static size_t find_frames(const uint8_t *data, size_t size, size_t at[FRAMES_MAX + 1])
{
    size_t count = 0;

    at[0] = size > 0;
    while (count < FRAMES_MAX && size - at[count] >= 2) {
        const uint8_t *frame = data + at[count];
        size_t length = frame[1] & 127, head = frame[1] & 128 ? 6 : 2;
        if (length == 126 && size - at[count] >= 4) {
            length = (size_t)frame[2] << 8 | frame[3];
            head += 2;
        }
        if (length == 127 || head + length > size - at[count]) {
            break;
        }
        at[count + 1] = at[count] + head + length;
        count++;
    }
    return count;
}

/* Writes the payload of a frame: a code and a reason behind a close, else text. */
static void fill(uint8_t *payload, size_t size, unsigned opcode, unsigned *seed)
{
    static const char *const TEXTS[] = {
        "a",    "c",   "h", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xed\xa0\x80",
        "\x80", "\xff"};
    const unsigned kinds = rand_r(seed) % 4 == 0 ? 9 : 6; /* the last three are no text */

    for (size_t at = 0; at < size;) {
        const char *text = TEXTS[(unsigned)rand_r(seed) % kinds];
        for (; *text != '\0' && at < size; text++) {
            payload[at++] = (uint8_t)*text;
        }
    }
    if (opcode == 8 && size >= 2) {
        const unsigned code = 990 + (unsigned)rand_r(seed) % 30;
        payload[0] = (uint8_t)(code >> 8);
        payload[1] = (uint8_t)code;
    }
}

/* Writes a frame whose mask is zero; returns its bytes. */
static size_t make_frame(uint8_t frame[HEAD_MAX + PAYLOAD_MAX], unsigned *seed)
{
    static const uint8_t OPCODES[] = {0, 0, 0, 1, 1, 1, 1, 2, 8, 9, 10, 11};
    static const uint16_t LENGTHS[] = {0, 1, 2, 3, 124, 125, 126, 127, 299, 300, 301};
    const unsigned opcode = OPCODES[(unsigned)rand_r(seed) % sizeof OPCODES];
    const unsigned pick = (unsigned)rand_r(seed) % 16;
    size_t length = pick < 11 ? LENGTHS[pick] : (unsigned)rand_r(seed) % 20, head = 2;

    frame[0] = (uint8_t)((rand_r(seed) % 3 != 0 ? 0x80 : 0) | opcode);
    frame[1] = (uint8_t)(0x80 | (length > 125 ? 126 : length));
    if (length > 125) {
        frame[2] = (uint8_t)(length >> 8);
        frame[3] = (uint8_t)length;
        head = 4;
    }
    memset(frame + head, 0, 4);
    fill(frame + head + 4, length, opcode, seed);
    return head + 4 + length;
}

/* Puts bytes in at a place, if there is room; returns the new size. */
static size_t insert(uint8_t *data, size_t size, size_t max_size, size_t at, const uint8_t *bytes,
                     size_t count)
{
    if (count > max_size - size) {
        return size;
    }
    memmove(data + at + count, data + at, size - at);
    memcpy(data + at, bytes, count);
    return size + count;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    uint8_t frame[HEAD_MAX + PAYLOAD_MAX];
    size_t at[FRAMES_MAX + 1];
    const size_t count = find_frames(data, size, at);
    const unsigned what = (unsigned)rand_r(&seed) % 8;

    if (what < 4 || size == 0) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    const size_t place = (unsigned)rand_r(&seed) % (count + 1);
    const size_t other = (unsigned)rand_r(&seed) % (count + 1);
    const size_t length = other < count ? at[other + 1] - at[other] : 0;
    if (what == 4 && length > 0) {
        memmove(data + at[other], data + at[other + 1], size - at[other + 1]);
        return size - length;
    }
    if (what == 5 && length > 0 && length <= sizeof frame) {
        memcpy(frame, data + at[other], length);
        return insert(data, size, max_size, at[place], frame, length);
    }
    return insert(data, size, max_size, at[place], frame, make_frame(frame, &seed));
}
