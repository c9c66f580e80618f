/*
 * What jailed code can see and do, told on descriptor 3, one "name value" a line; the
 * self-check gives it one question at a time.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void tell(const char *name, long value) { dprintf(3, "%s %ld\n", name, value); }

/* The error of a call that must fail, 0 when it succeeded. */
static void outcome(const char *name, long result) {
  tell(name, result < 0 ? errno : 0);
}

static void identity(void) {
  gid_t groups[64];
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct caps[2];
  memset(caps, 0xff, sizeof caps);
  syscall(SYS_capget, &header, caps);
  tell("uid", getuid());
  tell("euid", geteuid());
  tell("gid", getgid());
  tell("groups", getgroups(64, groups));
  tell("caps", (long)(caps[0].effective | caps[1].effective | caps[0].permitted |
                      caps[1].permitted));
  tell("pid", getpid());
}

static void privileges(void) {
  tell("no_new_privs", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
  tell("seccomp", prctl(PR_GET_SECCOMP, 0, 0, 0, 0));
}

static void limits(void) {
  tell("nice", getpriority(PRIO_PROCESS, 0));
  static const struct { const char *name; int which; } all[] = {
      {"as", RLIMIT_AS},         {"cpu", RLIMIT_CPU},       {"fsize", RLIMIT_FSIZE},
      {"nofile", RLIMIT_NOFILE}, {"nproc", RLIMIT_NPROC},   {"stack", RLIMIT_STACK},
      {"core", RLIMIT_CORE},     {"memlock", RLIMIT_MEMLOCK}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    struct rlimit limit;
    getrlimit(all[i].which, &limit);
    dprintf(3, "%s %ld\n", all[i].name, (long)limit.rlim_max);
  }
}

static void descriptors(void) {
  for (int fd = 0; fd < 1024; fd++)
    if (fcntl(fd, F_GETFD) >= 0) dprintf(3, "fd %d\n", fd);
}

static void writes(const char *path) {
  outcome("create", open(path, O_WRONLY | O_CREAT, 0600));
}

static void network(int port) {
  struct ifreq interface;
  struct sockaddr_in host = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  host.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int s = socket(AF_INET, SOCK_STREAM, 0);
  outcome("socket", s);
  if (s < 0) return;
  outcome("connect", connect(s, (struct sockaddr *)&host, sizeof host));
  int up = 0;
  for (int i = 1; i < 64; i++) {
    memset(&interface, 0, sizeof interface);
    interface.ifr_ifindex = i;
    if (ioctl(s, SIOCGIFNAME, &interface) == 0) {
      if (ioctl(s, SIOCGIFFLAGS, &interface) == 0 && (interface.ifr_flags & IFF_UP) &&
          !(interface.ifr_flags & IFF_LOOPBACK))
        up++;
    }
  }
  tell("interfaces_up", up);
}

static void use_memory(long megabytes) {
  for (long i = 0; i < megabytes; i++) {
    char *block = malloc(1 << 20);
    if (block == NULL) {
      tell("allocated", i);
      return;
    }
    memset(block, 1, 1 << 20);
  }
  tell("allocated", megabytes);
}

static void forks(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  outcome("fork", child);
}

static void fill_file(const char *path, long megabytes) {
  static char block[1 << 20];
  int fd = open(path, O_WRONLY | O_CREAT, 0600);
  outcome("create", fd);
  if (fd < 0) return;
  for (long i = 0; i < megabytes; i++)
    if (write(fd, block, sizeof block) < 0) {
      outcome("write", -1);
      return;
    }
  tell("written", megabytes);
}

static void fill_files(const char *folder) {
  char path[4096];
  for (long i = 0;; i++) {
    snprintf(path, sizeof path, "%s/%ld", folder, i);
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    if (fd < 0) {
      outcome("create", -1);
      return;
    }
    close(fd);
  }
}

int main(int argc, char **argv) {
  const char *ask = argc > 1 ? argv[1] : "identity";
  const char *path = argc > 2 ? argv[2] : "/";
  long number = argc > 3 ? atol(argv[3]) : argc > 2 ? atol(argv[2]) : 0;

  if (!strcmp(ask, "identity")) identity();
  else if (!strcmp(ask, "privileges")) privileges();
  else if (!strcmp(ask, "limits")) limits();
  else if (!strcmp(ask, "descriptors")) descriptors();
  else if (!strcmp(ask, "create")) writes(path);
  else if (!strcmp(ask, "read")) outcome("open", open(path, O_RDONLY));
  else if (!strcmp(ask, "mkdir")) outcome("mkdir", mkdir(path, 0700));
  else if (!strcmp(ask, "symlink")) outcome("symlink", symlink("/etc/passwd", path));
  else if (!strcmp(ask, "mkfifo")) outcome("mkfifo", mkfifo(path, 0600));
  else if (!strcmp(ask, "chroot")) outcome("chroot", chroot("/"));
  else if (!strcmp(ask, "network")) network((int)number);
  else if (!strcmp(ask, "socket")) outcome("socket", socket(AF_UNIX, SOCK_STREAM, 0));
  else if (!strcmp(ask, "fork")) forks();
  else if (!strcmp(ask, "exec")) {
    char *arguments[] = {(char *)path, NULL};
    execve(path, arguments, environ);
    outcome("exec", -1);
  }
  else if (!strcmp(ask, "ptrace")) outcome("ptrace", ptrace(PTRACE_TRACEME, 0, 0, 0));
  else if (!strcmp(ask, "userns")) outcome("unshare", syscall(SYS_unshare, 0x10000000));
  else if (!strcmp(ask, "mount")) outcome("mount", syscall(SYS_mount, "x", "/tmp", "tmpfs", 0, 0));
  else if (!strcmp(ask, "bpf")) outcome("bpf", syscall(SYS_bpf, 0, 0, 0));
  else if (!strcmp(ask, "io_uring")) outcome("io_uring", syscall(425, 1, 0));
  else if (!strcmp(ask, "kill")) outcome("kill", kill((pid_t)number, SIGKILL));
  else if (!strcmp(ask, "environment")) {
    for (char **entry = environ; *entry; entry++) dprintf(3, "%s\n", *entry);
  }
  else if (!strcmp(ask, "hostname")) {
    struct utsname name;
    uname(&name);
    dprintf(3, "hostname %s\n", name.nodename);
  }
  else if (!strcmp(ask, "echo")) {
    char buffer[65536];
    ssize_t n;
    while ((n = read(3, buffer, sizeof buffer)) > 0)
      if (write(3, buffer, (size_t)n) < 0) return 1;
  }
  else if (!strcmp(ask, "memory")) use_memory(number);
  else if (!strcmp(ask, "file")) fill_file(path, number);
  else if (!strcmp(ask, "files")) fill_files(path);
  else if (!strcmp(ask, "spin")) {
    for (int i = 1; i < NSIG; i++) signal(i, SIG_IGN);
    for (;;) __asm__ volatile("" ::: "memory");
  }
  else if (!strcmp(ask, "sleep")) {
    for (int i = 1; i < NSIG; i++) signal(i, SIG_IGN);
    dprintf(3, "asleep 1\n");
    /* Not for ever: outside a jail nothing else would end it. */
    sleep(100);
  }
  else if (!strcmp(ask, "flood")) {
    static char block[65536];
    memset(block, 'x', sizeof block);
    while (write((int)number, block, sizeof block) > 0) continue;
  }
  else if (!strcmp(ask, "exit")) return (int)number;
  else if (!strcmp(ask, "signal")) {
    /* A fault that the kernel forces: process 1 ignores what it sends to itself. */
    volatile int *nothing = NULL;
    *nothing = 1;
  }
  else if (!strcmp(ask, "preflight")) {
    identity();
    writes("/x");
    tell("no_new_privs", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
    tell("seccomp", prctl(PR_GET_SECCOMP, 0, 0, 0, 0));
    network((int)number);
    forks();
  }
  else return 64;
  return 0;
}
