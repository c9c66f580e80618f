/*
 * The CPU limit of each check: "0:100,5:20,9:0" means 100 ms from check 0 on, 20 ms from check 5
 * on, 9 checks in all; "-" means no separate limits.
 *
 * Code may report the start of a check any number of times: only the first starts its timer.
 * Everything else shares a total of three normal phases per check.
 */
#define MOST_ALLOWED 1024
#define MOST_PLACES (1L << 20)

static struct {
  long from, ms;
} allowed[MOST_ALLOWED];
static int allowances;
static long places = -1; /* no total: a trusted program */
static long shared_us, since_us;
static bool shares;
static unsigned char began[MOST_PLACES / 8];

static void read_allowed(const char *text, long others)
{
  int length;
  while (allowances < MOST_ALLOWED
         && sscanf(text, "%ld:%ld%n", &allowed[allowances].from, &allowed[allowances].ms,
                   &length) == 2) {
    text += length;
    if (*text == ',') text++;
    if (allowed[allowances].ms == 0) {
      places = allowed[allowances].from;
      shared_us = (3 * places + 1) * others * 1000;
      return;
    }
    allowances++;
  }
}

/* The limit of the phase that `event` begins: `others` if it is no check. */
static long allowed_ms(const char *event, long others)
{
  long place, ms = others;
  if (sscanf(event, "begin %ld", &place) != 1) return others;
  for (int i = 0; i < allowances && allowed[i].from <= place; i++) ms = allowed[i].ms;
  return ms;
}

static bool begins(const char *event)
{
  long place;
  if (sscanf(event, "begin %ld", &place) != 1) return false;
  if (place < 0 || place >= places || place >= MOST_PLACES) return false;
  if (began[place / 8] >> place % 8 & 1) return false;
  began[place / 8] |= (unsigned char)(1 << place % 8);
  return true;
}

/* The time left for that phase, which begins at `now_us`; 0 if none. */
static long left_for_ms(const char *event, long others, long now_us)
{
  if (places < 0) return allowed_ms(event, others);
  if (shares) shared_us -= now_us - since_us;
  since_us = now_us;
  shares = !begins(event);
  if (!shares) return allowed_ms(event, others);
  if (shared_us / 1000 >= others) return others;
  return shared_us > 0 ? shared_us / 1000 : 0;
}
