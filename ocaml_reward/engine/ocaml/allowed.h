/*
 * What each check may use: "0:100,5:20", from check 0 on 100 ms of CPU time, from check 5 on
 * 20; "-" where every check has what the rest of the program has.
 */
#define MOST_ALLOWED 1024

static struct {
  long from, ms;
} allowed[MOST_ALLOWED];
static int allowances;

static void read_allowed(const char *text)
{
  int length;
  while (allowances < MOST_ALLOWED
         && sscanf(text, "%ld:%ld%n", &allowed[allowances].from, &allowed[allowances].ms,
                   &length) == 2) {
    text += length;
    if (*text == ',') text++;
    allowances++;
  }
}

/* What the phase that `event` begins may use: `others` unless it is a check. */
static long allowed_ms(const char *event, long others)
{
  long place, ms = others;
  if (sscanf(event, "begin %ld", &place) != 1) return others;
  for (int i = 0; i < allowances && allowed[i].from <= place; i++) ms = allowed[i].ms;
  return ms;
}
