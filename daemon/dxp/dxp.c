/* Fields of fixed width, one behind the other. */
#include "daemon/dxp/dxp.h"

#include <stdio.h>
#include <string.h>

/* A message on its way through the reader: what is left of it. */
struct reader {
    const char *at, *end;
    bool failed;
};

static bool take(struct reader *reader, size_t size, const char **field)
{
    *field = reader->at;
    if (reader->failed || (size_t)(reader->end - reader->at) < size) {
        reader->failed = true;
        return false;
    }
    reader->at += size;
    return true;
}

/* A number of exactly so many digits. */
static int read_number(struct reader *reader, size_t digits)
{
    const char *field;
    int number = 0;

    if (!take(reader, digits, &field)) {
        return 0;
    }
    for (size_t i = 0; i < digits; i++) {
        if (field[i] < '0' || field[i] > '9') {
            reader->failed = true;
            return 0;
        }
        number = number * 10 + field[i] - '0';
    }
    return number;
}

/* A number of one digit that is at most so large. */
static int read_code(struct reader *reader, int most)
{
    int code = read_number(reader, 1);

    reader->failed = reader->failed || code > most;
    return code;
}

static int read_square(struct reader *reader)
{
    int square = read_number(reader, 2);

    reader->failed = reader->failed || square < 1 || square > DXP_SQUARES;
    return square;
}

/* One of two letters: false for the first. */
static bool read_letter(struct reader *reader, const char letters[2])
{
    const char *field;

    if (!take(reader, 1, &field) || (*field != letters[0] && *field != letters[1])) {
        reader->failed = true;
        return false;
    }
    return *field == letters[1];
}

static enum colour read_colour(struct reader *reader)
{
    return read_letter(reader, "WZ") ? BLACK : WHITE;
}

/* Printable; other bytes become '?', so that a name can be shown. */
static void copy_text(char *out, const char *field, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        out[i] = field[i] >= ' ' && field[i] <= '~' ? field[i] : '?';
    }
    out[size] = '\0';
}

static void read_name(struct reader *reader, char name[DXP_NAME])
{
    const char *field;
    size_t size = DXP_NAME - 1;

    name[0] = '\0';
    if (take(reader, size, &field)) {
        while (size > 0 && field[size - 1] == ' ') {
            size--;
        }
        copy_text(name, field, size);
    }
}

static void read_request(struct reader *reader, struct dxp_message *message)
{
    const char *board;

    message->version = read_number(reader, 2);
    read_name(reader, message->name);
    message->colour = read_colour(reader);
    message->minutes = read_number(reader, 3);
    message->moves = read_number(reader, 3);
    message->set_up = read_letter(reader, "AB");
    if (message->set_up) {
        message->turn = read_colour(reader);
        if (take(reader, DXP_SQUARES, &board)) {
            copy_text(message->board, board, DXP_SQUARES);
            reader->failed =
                reader->failed || strspn(message->board, "wzWZe") != (size_t)DXP_SQUARES;
        }
    }
}

static void read_move(struct reader *reader, struct dxp_message *message)
{
    message->seconds = read_number(reader, 4);
    message->from = read_square(reader);
    message->to = read_square(reader);
    message->count = read_number(reader, 2);
    if (message->count > DXP_TAKEN) {
        reader->failed = true;
    }
    for (int i = 0; i < message->count && !reader->failed; i++) {
        message->taken[i] = (uint8_t)read_square(reader);
    }
}

static void read_chat(struct reader *reader, struct dxp_message *message)
{
    const size_t size = (size_t)(reader->end - reader->at);
    const char *field;

    if (size >= DXP_TEXT) {
        reader->failed = true;
    } else if (take(reader, size, &field)) {
        copy_text(message->text, field, size);
    }
}

static void read_fields(struct reader *reader, struct dxp_message *message)
{
    switch (message->kind) {
    case DXP_REQUEST:
        read_request(reader, message);
        return;
    case DXP_ACCEPT:
        read_name(reader, message->name);
        message->code = read_code(reader, 9);
        return;
    case DXP_MOVE:
        read_move(reader, message);
        return;
    case DXP_END:
        message->reason = (enum dxp_reason)read_code(reader, DXP_I_WIN);
        message->stop = read_code(reader, 1);
        return;
    case DXP_CHAT:
        read_chat(reader, message);
        return;
    case DXP_BACK:
        message->number = read_number(reader, 3);
        message->colour = read_colour(reader);
        return;
    case DXP_BACK_ANSWER:
        message->code = read_code(reader, 9);
        return;
    }
    reader->failed = true;
}

bool dxp_read(const char *text, size_t size, struct dxp_message *message, struct err *err)
{
    struct reader reader = {.at = text + 1, .end = text + size};

    memset(message, 0, sizeof *message);
    if (size == 0) {
        return err_set(err, ERR_USAGE, "an empty DXP message");
    }
    message->kind = (enum dxp_kind)(unsigned char)text[0];
    read_fields(&reader, message);
    if (reader.failed || reader.at != reader.end) {
        return err_set(err, ERR_USAGE, "a DXP message of %zu characters is not as %s has it", size,
                       strchr("RAMECBK", text[0]) != NULL ? "its kind" : "any kind");
    }
    return true;
}

static char letter_of(enum colour colour)
{
    return colour == WHITE ? 'W' : 'Z';
}

static int write_move(const struct dxp_message *message, char out[DXP_SIZE])
{
    int used = snprintf(out, DXP_SIZE, "M%04d%02d%02d%02d", message->seconds, message->from,
                        message->to, message->count);

    for (int i = 0; i < message->count; i++) {
        used += snprintf(out + used, (size_t)(DXP_SIZE - used), "%02d", message->taken[i]);
    }
    return used;
}

static int write_fields(const struct dxp_message *message, char out[DXP_SIZE])
{
    switch (message->kind) {
    case DXP_REQUEST:
        return message->set_up
                   ? snprintf(out, DXP_SIZE, "R%02d%-32.32s%c%03d%03dB%c%s", message->version,
                              message->name, letter_of(message->colour), message->minutes,
                              message->moves, letter_of(message->turn), message->board)
                   : snprintf(out, DXP_SIZE, "R%02d%-32.32s%c%03d%03dA", message->version,
                              message->name, letter_of(message->colour), message->minutes,
                              message->moves);
    case DXP_ACCEPT:
        return snprintf(out, DXP_SIZE, "A%-32.32s%d", message->name, message->code);
    case DXP_MOVE:
        return write_move(message, out);
    case DXP_END:
        return snprintf(out, DXP_SIZE, "E%d%d", (int)message->reason, message->stop);
    case DXP_CHAT:
        return snprintf(out, DXP_SIZE, "C%s", message->text);
    case DXP_BACK:
        return snprintf(out, DXP_SIZE, "B%03d%c", message->number, letter_of(message->colour));
    case DXP_BACK_ANSWER:
        break;
    }
    return snprintf(out, DXP_SIZE, "K%d", message->code);
}

size_t dxp_write(const struct dxp_message *message, char out[DXP_SIZE])
{
    return (size_t)write_fields(message, out) + 1;
}
