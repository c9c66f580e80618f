/*
 * The zygote: forks a child for each request.  It never reads a request itself, so a child cannot
 * find an earlier one in its memory.  The child reads its request, locks itself and runs the
 * code; its output goes to shared memory, which the zygote sends and wipes.
 *
 * Limits and most of the filter are set before any fork.
 */
#define _GNU_SOURCE
#define CAML_INTERNALS
#define CAML_NAME_SPACE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <caml/alloc.h>
#include <caml/intext.h>
#include <caml/mlvalues.h>
#include <caml/version.h>
#if OCAML_VERSION >= 50000
#include <caml/domain.h>
#define caml_extra_heap_resources Caml_state->extra_heap_resources
#else
#include <caml/major_gc.h>
#endif

#include "filter.h"
#include "locking.h"
#include "landlock.h"
#include "process_lock.h"

#define REQUEST_FD 3
#define REPLY_FD 4
#define DEFAULT_WALL_MS 10000 /* until the child has read its limit */
#define SLICE_MS 20          /* how often the zygote looks at the limit */

static struct sock_filter for_both[] = ZYGOTE_FILTER;
static struct sock_filter for_child[] = CHILD_FILTER;

/* Written by the child before any code runs, and unmapped then, so that the code cannot change
 * it. */
struct start {
  long wall_ms; /* the child's time limit */
  long number;  /* the request's number */
  long whole;   /* the request was read completely */
  long began;   /* locked; the code is next */
};

static struct area *area;
static struct start *start;
static char *image, *input;
static size_t image_length, input_left;

/* ---- the child's descriptors, which are memory ------------------------------------ */

static char *text_of(int text)
{
  return text == EVENTS ? area->events : area->output[text - 1];
}

static size_t capacity(int text)
{
  return text == EVENTS ? EVENTS_CAPACITY : OUTPUT_CAPACITY;
}

int ocaml_reward_keep(int text, const void *data, size_t length)
{
  size_t used = area->used[text];
  if (used > capacity(text) || length > capacity(text) - used) return 0;
  memcpy(text_of(text) + used, data, length);
  area->used[text] = used + length;
  return 1;
}

ssize_t read(int fd, void *data, size_t length)
{
  if (!ocaml_reward_area) return syscall(__NR_read, fd, data, length);
  if (fd != 0) {
    errno = EBADF;
    return -1;
  }
  if (length > input_left) length = input_left;
  memcpy(data, input, length);
  input += length;
  input_left -= length;
  return (ssize_t)length;
}

/* For libraries compiled with fortified buffers, such as Debian's dllunix.so. */
ssize_t __read_chk(int fd, void *data, size_t length, size_t room)
{
  if (length > room) abort();
  return read(fd, data, length);
}

/* Like a pipe: no seeking; closing succeeds. */
off_t lseek(int fd, off_t offset, int whence)
{
  if (!ocaml_reward_area) return syscall(__NR_lseek, fd, offset, whence);
  errno = fd >= 0 && fd <= 2 ? ESPIPE : EBADF;
  return -1;
}

int close(int fd)
{
  if (!ocaml_reward_area) return (int)syscall(__NR_close, fd);
  if (fd >= 0 && fd <= 2) return 0;
  errno = EBADF;
  return -1;
}

/* ---- the child ------------------------------------------------------------------- */

static void lock_child(long memory_bytes)
{
  if (syscall(__NR_close_range, 0, ~0U, 0))
    for (int fd = 0; fd <= REPLY_FD; fd++) syscall(__NR_close, fd);
  limit(RLIMIT_DATA, (rlim_t)memory_bytes);
  limit(RLIMIT_NPROC, 0);
  install(for_child, sizeof for_child / sizeof for_child[0]);
}

static size_t read_some(char *data, size_t room)
{
  ssize_t n;
  do n = syscall(__NR_read, REQUEST_FD, data, room);
  while (n < 0 && errno == EINTR);
  if (n <= 0) _exit(LOCK_FAILED);
  return (size_t)n;
}

/* Reads "NUMBER SETTINGS IMAGE STDIN\n" (three lengths) and the three texts; returns the first. */
static char *read_request(void)
{
  static char first[65536 + 1];
  size_t length = 0, settings, total, filled;
  char *end, *body;
  while ((end = memchr(first, '\n', length)) == NULL) {
    if (length == 65536) _exit(LOCK_FAILED);
    length += read_some(first + length, 65536 - length);
  }
  if (sscanf(first, "%ld %zu %zu %zu", &start->number, &settings, &image_length, &input_left) != 4
      || settings > INT32_MAX || image_length > INT32_MAX || input_left > INT32_MAX)
    _exit(LOCK_FAILED);
  total = settings + image_length + input_left;
  filled = length;
  length -= (size_t)(end + 1 - first);
  body = malloc(total + 1);
  if (body == NULL || length > total) _exit(LOCK_FAILED);
  memcpy(body, end + 1, length);
  while (length < total) length += read_some(body + length, total - length);
  image = body + settings;
  input = image + image_length;
  char *copy = strndup(body, settings);
  if (copy == NULL || sscanf(copy, "%*s %*d %*d %*d %*d %ld", &start->wall_ms) != 1)
    _exit(LOCK_FAILED);
  memset(body, 0, settings);
  memset(first, 0, filled);
  start->whole = 1;
  return copy;
}

/* ---- the zygote ------------------------------------------------------------------ */

static long now_ms(void)
{
  struct timespec now;
  syscall(__NR_clock_gettime, CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000L + now.tv_nsec / 1000000;
}

/* Waits for a request without reading it; exits if none can come. */
static void await_request(void)
{
  struct pollfd request = {REQUEST_FD, POLLIN, 0};
  while (poll(&request, 1, -1) < 0)
    if (errno != EINTR) _exit(LOCK_FAILED);
  if (!(request.revents & POLLIN)) _exit(0);
}

/* Waits for the child and kills it at its deadline; returns 1 if it was killed. */
static int await_child(pid_t child, int *status, struct rusage *usage)
{
  sigset_t ends;
  long since = now_ms();
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  for (;;) {
    long wall = *(volatile long *)&start->wall_ms;
    long left = (wall > 0 ? wall : DEFAULT_WALL_MS) - (now_ms() - since);
    if (left <= 0) break;
    if (left > SLICE_MS) left = SLICE_MS;
    struct timespec slice = {0, left * 1000000L};
    sigtimedwait(&ends, NULL, &slice);
    if (wait4(child, status, WNOHANG, usage) == child) return 0;
  }
  kill(child, SIGKILL);
  while (wait4(child, status, 0, usage) < 0 && errno == EINTR) {}
  return 1;
}

static void reply(int status, int late, const struct rusage *usage)
{
  char header[256];
  struct iovec parts[4] = {{header, 0}};
  for (int text = 0; text < 3; text++) {
    size_t used = area->used[text];
    parts[text + 1].iov_base = text_of(text);
    parts[text + 1].iov_len = used < capacity(text) ? used : capacity(text);
  }
  long cpu = (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000L
             + usage->ru_utime.tv_usec + usage->ru_stime.tv_usec;
  parts[0].iov_len = (size_t)snprintf(
    header, sizeof header, "%ld %d %d %d %ld %d %zu %zu %zu\n", start->number,
    WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
    late, cpu, start->began == 1, parts[1].iov_len, parts[2].iov_len, parts[3].iov_len);
  for (int at = 0; at < 4;) {
    ssize_t n = writev(REPLY_FD, parts + at, 4 - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) _exit(LOCK_FAILED);
    for (; at < 4 && (size_t)n >= parts[at].iov_len; at++) n -= (ssize_t)parts[at].iov_len;
    if (at < 4) {
      parts[at].iov_base = (char *)parts[at].iov_base + n;
      parts[at].iov_len -= (size_t)n;
    }
  }
}

static void prepare(void)
{
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  area = mmap(NULL, sizeof *area, PROT_READ | PROT_WRITE,
              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  start = mmap(NULL, sizeof *start, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (area == MAP_FAILED || start == MAP_FAILED
      || sigprocmask(SIG_BLOCK, &ends, NULL))
    _exit(LOCK_FAILED);
  ocaml_reward_count_stderr();
  ocaml_reward_fix_environment();
  prctl(PR_SET_DUMPABLE, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NOFILE, 16);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) _exit(LOCK_FAILED);
  forbid_files();
  install(for_both, sizeof for_both / sizeof for_both[0]);
}

/* Keeps forks cheap: gives back the free part of the minor heap, and puts off the collection that
 * a flush of the channels at a program's end would begin, as it counts their buffers and the heap is
 * small; it would mark, so copy, all that a child has in common with the zygote. */
static void trim_heap(void)
{
  caml_extra_heap_resources = -10.0; /* times what begins one */
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t from = ((uintptr_t)Caml_state->young_start + page - 1) / page * page;
  uintptr_t end = (uintptr_t)Caml_state->young_ptr / page * page;
  if (from < end) madvise((void *)from, end - from, MADV_DONTNEED);
}

/* Serves requests; returns SKIP in each locked child. */
value ocaml_reward_serve(value unit)
{
  (void)unit;
  trim_heap();
  prepare();
  for (;;) {
    struct rusage usage;
    int status = 0;
    await_request();
    pid_t zygote = (pid_t)syscall(__NR_getpid), child = fork();
    if (child < 0) _exit(LOCK_FAILED);
    if (child == 0) {
#if OCAML_VERSION >= 50000
      if (caml_atfork_hook) caml_atfork_hook();
#endif
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (syscall(__NR_getppid) != zygote) _exit(LOCK_FAILED);
      char *settings = read_request();
      ocaml_reward_area = area;
      const char *skip = ocaml_reward_begin(settings, lock_child);
      memset(settings, 0, strlen(settings));
      start->began = 1;
      if (munmap(start, sizeof *start)) _exit(LOCK_FAILED);
      return caml_copy_string(skip);
    }
    int late = await_child(child, &status, &usage), whole = start->whole == 1;
    reply(status, late, &usage);
    /* The rest of the request is still in the pipe. */
    if (!whole) _exit(LOCK_FAILED);
    memset(start, 0, sizeof *start);
    if (madvise(area, sizeof *area, MADV_REMOVE)) _exit(LOCK_FAILED);
  }
}

/* Unmarshals the request's image and wipes its text, which has the tests' literals. */
value ocaml_reward_image(value unit)
{
  (void)unit;
  value made = caml_input_value_from_block(image, (intnat)image_length);
  memset(image, 0, image_length);
  return made;
}
