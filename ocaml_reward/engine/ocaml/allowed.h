/*
 * What each check may use: "0:100,5:20,9:0", from check 0 on 100 ms of CPU time, from check 5
 * on 20, and 9 checks in all; "-" where every check has what the rest of the program has.
 *
 * Code may say that a check begins as often as it likes: each is timed anew once, and what is
 * no check three times for every check there is (before it, behind it, around it).
 */
#define MOST_ALLOWED 1024
#define MOST_PLACES (1L << 20)

static struct {
  long from, ms;
} allowed[MOST_ALLOWED];
static int allowances;
static long places = -1; /* no bound: the program is a trusted one */
static long others_left;
static unsigned char began[MOST_PLACES / 8];

static void read_allowed(const char *text)
{
  int length;
  while (allowances < MOST_ALLOWED
         && sscanf(text, "%ld:%ld%n", &allowed[allowances].from, &allowed[allowances].ms,
                   &length) == 2) {
    text += length;
    if (*text == ',') text++;
    if (allowed[allowances].ms == 0) {
      places = allowed[allowances].from;
      others_left = 3 * places;
      return;
    }
    allowances++;
  }
}

/* Whether a phase that is no check is timed anew. */
static bool others_anew(void)
{
  return places < 0 || others_left-- > 0;
}

/* Whether the phase is that `event` begins. */
static bool timed_anew(const char *event)
{
  long place;
  if (places < 0 || sscanf(event, "begin %ld", &place) != 1) return others_anew();
  if (place < 0 || place >= places || place >= MOST_PLACES) return false;
  if (began[place / 8] >> place % 8 & 1) return false;
  began[place / 8] |= (unsigned char)(1 << place % 8);
  return true;
}

/* What the phase that `event` begins may use: `others` unless it is a check. */
static long allowed_ms(const char *event, long others)
{
  long place, ms = others;
  if (sscanf(event, "begin %ld", &place) != 1) return others;
  for (int i = 0; i < allowances && allowed[i].from <= place; i++) ms = allowed[i].ms;
  return ms;
}
