/*
 * Encodes a value of any type as text; forms.py compares the text.
 *
 * Words with blanks between them, each block's fields after it:
 *   i-3            an integer, a character, a constant constructor
 *   (0:2           a block of tag 0 with 2 fields
 *   s3:616263      a string or bytes
 *   d3ff0...       a float, its 8 bytes from the highest on, -0. as 0. inside of another
 *                  value (by itself arithmetic may need its sign); n is any NaN
 *   D2             an array or record of 2 floats
 *   l5 L5 N5       an int32, an int64, a nativeint
 *   z...           a number of zarith's; b... a bigarray
 *   x!4e.. x4e..   an exception's constructor by its name; with ! one of OCaml's own
 *   f a o          a function, an abstract value, an object: not encoded
 *   !              too many words: the value may be cyclic
 *   hDIGEST:LENGTH:FLAGS
 *                  the last word of a text too long to be sent, of which it is the digest;
 *                  FLAGS are those of n, f, a, o and ! in it
 *
 * The code may have corrupted the value: that only harms its own process.
 */
#define CAML_INTERNALS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <caml/bigarray.h>
#include <caml/custom.h>
#include <caml/fail.h>
#include <caml/md5.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>

#include "process_lock.h"

#define MOST_SENT 16384        /* bytes; longer values are sent as a digest */
#define MOST_WHOLE (8L << 20)  /* for values that predicates inspect */
#define DIGEST_SIZE 128
#define MOST_NODES 10000000L   /* blocks and fields visited */

struct text {
  char *data;
  size_t most, used;
  int is_long, is_bare; /* is_bare: not inside another value */
  size_t length;
  char flags[8];
  struct MD5Context digest;
};

struct place { value block; mlsize_t next; };

struct stack {
  struct place *places;
  size_t used, room;
};

static void write_text(struct text *t, const char *data, size_t n)
{
  t->length += n;
  if (!t->is_long && t->used + n > t->most) {
    t->is_long = 1;
    caml_MD5Init(&t->digest);
    caml_MD5Update(&t->digest, (unsigned char *)t->data, t->used);
  }
  if (t->is_long) caml_MD5Update(&t->digest, (unsigned char *)data, n);
  else {
    memcpy(t->data + t->used, data, n);
    t->used += n;
  }
}

static void write_hex(struct text *t, const unsigned char *data, size_t n)
{
  static const char digits[] = "0123456789abcdef";
  char part[512];
  size_t used = 0;
  for (size_t i = 0; i < n; i++) {
    part[used++] = digits[data[i] >> 4];
    part[used++] = digits[data[i] & 15];
    if (used == sizeof part) {
      write_text(t, part, used);
      used = 0;
    }
  }
  write_text(t, part, used);
}

static void write_number(struct text *t, const char *mark, long long number)
{
  char word[40];
  int n = snprintf(word, sizeof word, " %s%lld", mark, number);
  write_text(t, word, (size_t)n);
}

static void write_mark(struct text *t, char mark)
{
  write_text(t, (char[]){' ', mark}, 2);
  if (!strchr(t->flags, mark)) t->flags[strlen(t->flags)] = mark;
}

static void write_float(struct text *t, double number)
{
  unsigned char bytes[8];
  uint64_t bits;
  if (number != number) {
    write_mark(t, 'n');
    return;
  }
  memcpy(&bits, &number, 8);
  if (bits == (uint64_t)1 << 63 && !t->is_bare) bits = 0;
  for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(bits >> (56 - 8 * i));
  write_text(t, " d", 2);
  write_hex(t, bytes, 8);
}

static void write_bigarray(struct text *t, value v)
{
  struct caml_ba_array *b = Caml_ba_array_val(v);
  int kind = b->flags & CAML_BA_KIND_MASK;
  uintnat elements = caml_ba_num_elts(b);
  char word[64];
  int n = snprintf(word, sizeof word, " b%d:%d", kind, (int)b->num_dims);
  write_text(t, word, (size_t)n);
  for (intnat i = 0; i < b->num_dims; i++) write_number(t, "i", b->dim[i]);
  switch (kind) {
  case CAML_BA_COMPLEX64:
  case CAML_BA_COMPLEX32:
    elements *= 2; /* fall through */
  case CAML_BA_FLOAT32:
  case CAML_BA_FLOAT64:
    for (uintnat i = 0; i < elements; i++)
      write_float(t, kind == CAML_BA_FLOAT32 || kind == CAML_BA_COMPLEX32
                       ? ((float *)b->data)[i] : ((double *)b->data)[i]);
    break;
  default:
    write_text(t, " s", 2);
    write_hex(t, b->data, caml_ba_byte_size(b));
  }
}

static void write_custom(struct text *t, value v)
{
  const char *name = Custom_ops_val(v)->identifier;
  if (strcmp(name, "_i") == 0) write_number(t, "l", Int32_val(v));
  else if (strcmp(name, "_j") == 0) write_number(t, "L", Int64_val(v));
  else if (strcmp(name, "_n") == 0) write_number(t, "N", Nativeint_val(v));
  else if (strcmp(name, "_z") == 0) {
    /* A word of sign and length, then the limbs (zarith's caml_z.c). */
    uintnat head = *(uintnat *)Data_custom_val(v);
    uintnat limbs = head & (~(uintnat)0 >> 1);
    if (limbs > Wosize_val(v)) limbs = Wosize_val(v);
    write_text(t, " z", 2);
    write_hex(t, (unsigned char *)Data_custom_val(v), (limbs + 1) * sizeof(uintnat));
  }
  else if (strncmp(name, "_bigarr", 7) == 0) write_bigarray(t, v);
  else write_mark(t, 'a');
}

/* A constructor of an exception or extensible type: name, and a negative number if it is
 * OCaml's own.  In an object the name is its methods. */
static void write_constructor(struct text *t, value v)
{
  value name = Wosize_val(v) == 2 ? Field(v, 0) : Val_unit;
  if (!Is_block(name) || Tag_val(name) != String_tag) {
    write_mark(t, 'o');
    return;
  }
  if (Is_long(Field(v, 1)) && Long_val(Field(v, 1)) < 0) write_text(t, " x!", 3);
  else write_text(t, " x", 2);
  write_hex(t, Bytes_val(name), caml_string_length(name));
}

/* Writes a value without its fields; true if there are fields. */
static int write_node(struct text *t, value v)
{
  char word[40];
  int n;
  if (Is_long(v)) {
    write_number(t, "i", Long_val(v));
    return 0;
  }
  switch (Tag_val(v)) {
  case String_tag:
    n = snprintf(word, sizeof word, " s%llu:", (unsigned long long)caml_string_length(v));
    write_text(t, word, (size_t)n);
    write_hex(t, Bytes_val(v), caml_string_length(v));
    return 0;
  case Double_tag:
    write_float(t, Double_val(v));
    return 0;
  case Double_array_tag:
    write_number(t, "D", (long long)(Wosize_val(v) / Double_wosize));
    for (mlsize_t i = 0; i < Wosize_val(v) / Double_wosize; i++)
      write_float(t, Double_flat_field(v, i));
    return 0;
  case Custom_tag:
    write_custom(t, v);
    return 0;
  case Object_tag:
    write_constructor(t, v);
    return 0;
  case Closure_tag:
  case Infix_tag:
    write_mark(t, 'f');
    return 0;
  case Abstract_tag:
    write_mark(t, 'a');
    return 0;
#ifdef Cont_tag
  case Cont_tag:
    write_mark(t, 'f');
    return 0;
#endif
  default:
    n = snprintf(word, sizeof word, " (%u:%llu", (unsigned)Tag_val(v),
                 (unsigned long long)Wosize_val(v));
    write_text(t, word, (size_t)n);
    return Wosize_val(v) > 0;
  }
}

static void push(struct stack *s, value block)
{
  if (s->used == s->room) {
    size_t room = s->room ? s->room * 2 : 1024;
    struct place *places = realloc(s->places, room * sizeof *places);
    if (places == NULL) {
      free(s->places);
      caml_raise_out_of_memory();
    }
    s->places = places;
    s->room = room;
  }
  s->places[s->used++] = (struct place){block, 0};
}

static void write_value(struct text *t, value v)
{
  struct stack s = {NULL, 0, 0};
  long left = MOST_NODES;
  for (;;) {
    while (Is_block(v) && Tag_val(v) == Forward_tag && left-- > 0) v = Forward_val(v);
    if (left-- <= 0) {
      write_mark(t, '!');
      break;
    }
    if (write_node(t, v)) push(&s, v);
    if (s.used == 0) break;
    struct place *top = &s.places[s.used - 1];
    v = Field(top->block, top->next);
    /* The last field replaces its block on the stack: a list is as deep as it is long. */
    if (++top->next == Wosize_val(top->block)) s.used--;
  }
  free(s.places);
}

static void hand_out(value event, value v, char *data, size_t most)
{
  struct text t;
  unsigned char digest[16];
  char word[64];
  memset(&t, 0, sizeof t);
  t.data = data;
  t.most = most;
  t.is_bare = Is_block(v) && Tag_val(v) == Double_tag;
  write_value(&t, v);
  if (t.is_long) {
    size_t length = t.length;
    caml_MD5Final(digest, &t.digest);
    /* Keep whole words, which may contain a difference. */
    while (t.used > 0 && t.data[t.used - 1] != ' ') t.used--;
    t.used -= t.used > 0;
    t.is_long = 0;
    t.most = t.used + DIGEST_SIZE;
    write_text(&t, " h", 2);
    write_hex(&t, digest, 16);
    int n = snprintf(word, sizeof word, ":%zu:%s", length, t.flags);
    write_text(&t, word, (size_t)n);
  }
  ocaml_reward_say(String_val(event), t.data, t.used);
}

/* Reports `event` with a value. */
value ocaml_reward_hand_out(value event, value v)
{
  static char data[MOST_SENT + DIGEST_SIZE];
  hand_out(event, v, data, MOST_SENT);
  return Val_unit;
}

/* The same for a value that a predicate inspects. */
value ocaml_reward_hand_out_whole(value event, value v)
{
  char *data = malloc(MOST_WHOLE + DIGEST_SIZE);
  if (data == NULL) caml_raise_out_of_memory();
  hand_out(event, v, data, MOST_WHOLE);
  free(data);
  return Val_unit;
}
