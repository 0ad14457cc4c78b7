/* Inflates gzipped reports and runs libexpat over them, counting records and messages: the floor of reading.
   Usage: expat-floor <file with a name on each line> <passes>. Prints records, messages and CPU seconds. */
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#define PIECE 65536
#define TEXT 64

struct state {
  long records;
  long messages;
  int in_count;
  int length;
  char text[TEXT];
};

struct content {
  unsigned char *bytes;
  size_t size;
};

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static void XMLCALL start(void *data, const XML_Char *name, const XML_Char **attributes) {
  struct state *state = data;
  (void)attributes;
  state->in_count = strcmp(name, "count") == 0;
  state->length = 0;
  if (strcmp(name, "record") == 0) state->records++;
}

static void XMLCALL text(void *data, const XML_Char *piece, int length) {
  struct state *state = data;
  if (!state->in_count || state->length + length >= TEXT) return;
  memcpy(state->text + state->length, piece, length);
  state->length += length;
}

static void XMLCALL end(void *data, const XML_Char *name) {
  struct state *state = data;
  (void)name;
  if (!state->in_count) return;
  state->text[state->length] = 0;
  state->messages += atol(state->text);
  state->in_count = 0;
}

static struct content read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  struct content content;
  if (!file) fail("cannot open a report");
  fseek(file, 0, SEEK_END);
  content.size = ftell(file);
  rewind(file);
  content.bytes = malloc(content.size);
  if (fread(content.bytes, 1, content.size, file) != content.size) fail("cannot read a report");
  fclose(file);
  return content;
}

static void parse(struct content content, struct state *state) {
  static unsigned char piece[PIECE];
  XML_Parser parser = XML_ParserCreate(NULL);
  z_stream stream = {0};
  int status;
  XML_SetUserData(parser, state);
  XML_SetElementHandler(parser, start, end);
  XML_SetCharacterDataHandler(parser, text);
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) fail("zlib does not start");
  stream.next_in = content.bytes;
  stream.avail_in = content.size;
  do {
    stream.next_out = piece;
    stream.avail_out = PIECE;
    status = inflate(&stream, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) fail("a report is no gzip");
    if (!XML_Parse(parser, (char *)piece, PIECE - stream.avail_out, status == Z_STREAM_END)) fail("a report is no XML");
  } while (status != Z_STREAM_END);
  inflateEnd(&stream);
  XML_ParserFree(parser);
}

int main(int count, char **arguments) {
  char line[4096];
  size_t files = 0, room = 0;
  struct content *contents = NULL;
  struct state state = {0};
  clock_t begin;
  if (count != 3) fail("usage: expat-floor <list> <passes>");
  FILE *list = fopen(arguments[1], "r");
  if (!list) fail("cannot open the list");
  while (fgets(line, sizeof line, list)) {
    line[strcspn(line, "\n")] = 0;
    if (files == room) contents = realloc(contents, (room = room * 2 + 64) * sizeof *contents);
    contents[files++] = read_file(line);
  }
  begin = clock();
  for (int pass = atoi(arguments[2]); pass > 0; pass--)
    for (size_t i = 0; i < files; i++) parse(contents[i], &state);
  printf("%ld %ld %f\n", state.records, state.messages, (double)(clock() - begin) / CLOCKS_PER_SEC);
  return 0;
}
