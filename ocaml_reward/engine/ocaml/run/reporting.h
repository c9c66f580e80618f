/*
 * Event lines, which start with the nonce that the code does not know.  Included by
 * process_lock.c only.
 */
static char nonce[65];
static long values_left = VALUES_CAPACITY;
struct area *ocaml_reward_area; /* a zygote's child writes here; NULL in a stock program */

static void write_all(const char *text, size_t length)
{
  if (ocaml_reward_area) {
    if (!ocaml_reward_keep(EVENTS, text, length)) _exit(LOCK_FAILED);
    return;
  }
  while (length > 0) {
    ssize_t n = syscall(__NR_write, RESULT_FD, text, length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(LOCK_FAILED);
    text += n;
    length -= (size_t)n;
  }
}

static void emit(const char *event, const char *detail)
{
  char line[1024];
  int n = snprintf(line, sizeof line, "%s %s|%s", nonce, event, detail);
  if (n >= (int)sizeof line) n = sizeof line - 1;
  /* One event is one line, whatever an exception printed. */
  for (int i = 0; i < n; i++)
    if ((unsigned char)line[i] < 0x20) line[i] = ' ';
  line[n] = '\n';
  write_all(line, (size_t)n + 1);
}

/* CPU time in microseconds, of the only thread: the process clock has the resolution of a tick
 * while a timer is set. */
static long used_us(void)
{
  struct timespec now;
  syscall(__NR_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1000000L + now.tv_nsec / 1000;
}

/* Reports `event` with CPU time and steps. */
static void emit_used(const char *event)
{
  char detail[64];
  snprintf(detail, sizeof detail, "%ld %ld", used_us(), steps());
  emit(event, detail);
}

void ocaml_reward_say(const char *event, const char *detail, size_t length)
{
  char head[256];
  int n = snprintf(head, sizeof head, "%s %.100s|", nonce, event);
  values_left -= (long)length;
  if (values_left < 0) {
    emit_used("values_flood");
    _exit(FLOODED);
  }
  write_all(head, (size_t)n);
  write_all(detail, length);
  write_all("\n", 1);
}
