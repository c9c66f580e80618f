/*
 * Steps: entries of functions and turns of loops of the completion's own code (typecheck/ticks.ml).
 * Their number is the same on every machine, so they are what limits a check; CPU time is only the
 * backstop.
 *
 * "90000,30000,0:5000,5:200" means 90,000 steps for all phases together, however often code that may
 * break its process begins one again, 30,000 for each that is no check, 5,000 for each check from
 * check 0 on, and 200 from check 5 on.  0 is no limit, and "-" says nothing of checks.
 */
#define MOST_ALLOWED 1024

static struct {
  long from, steps;
} allowed[MOST_ALLOWED];
static int allowances;
static long all_left = LONG_MAX;               /* what all phases may still take */
static long others = LONG_MAX;                 /* what each that is no check may */
static long given = LONG_MAX, left = LONG_MAX; /* what this one may */
static long taken;                             /* before this one */
static bool all_given;                         /* this one has all that is left */

static long steps(void)
{
  return taken + given - left;
}

static void read_allowed(const char *text)
{
  int length;
  if (sscanf(text, "%ld,%ld,%n", &all_left, &others, &length) != 2) _exit(LOCK_FAILED);
  text += length;
  if (all_left == 0) all_left = LONG_MAX;
  if (others == 0) others = LONG_MAX;
  while (allowances < MOST_ALLOWED
         && sscanf(text, "%ld:%ld%n", &allowed[allowances].from, &allowed[allowances].steps,
                   &length) == 2) {
    text += length;
    if (*text == ',') text++;
    allowances++;
  }
}

/* The limit of the phase that `event` begins. */
static long allowed_steps(const char *event)
{
  long place, found = others;
  if (sscanf(event, "begin %ld", &place) != 1) return found;
  for (int i = 0; i < allowances && allowed[i].from <= place; i++) found = allowed[i].steps;
  return found;
}

/* Begins a phase. */
static void give_steps(const char *event)
{
  long own = allowed_steps(event), used = given - left;
  taken += used;
  if (all_left < LONG_MAX) all_left -= used;
  all_given = all_left < own;
  given = left = all_given ? all_left : own;
}
