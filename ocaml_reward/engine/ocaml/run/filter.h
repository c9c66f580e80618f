/*
 * The system calls allowed to untrusted code: memory, time, its own output, exit.  Each lock adds
 * the descriptors that may be read and written.
 *
 * Calls that the standard library may try fail with an error, so that it raises Sys_error; any
 * other call kills the process.
 */
#ifndef OCAML_REWARD_FILTER_H
#define OCAML_REWARD_FILTER_H
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define RESULT_FD 3 /* the harness's reports; only process_lock.c writes to it */

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#else
#error "the lock knows the system calls of x86_64 and aarch64 only"
#endif

#define ERRNO(e) (SECCOMP_RET_ERRNO | (e))
#define NR offsetof(struct seccomp_data, nr)
#define ARG(n) (offsetof(struct seccomp_data, args) + 8 * (n)) /* low 32 bits */
#define LOAD(where) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (where))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define ON(call, what) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), RETURN(what)

#if defined(__x86_64__)
/* The x32 ABI reaches the same calls under other numbers. */
#define NO_SECOND_ABI \
  BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), \
  RETURN(SECCOMP_RET_KILL_PROCESS),
#else
#define NO_SECOND_ABI
#endif

#define NATIVE_CALLS_ONLY \
  LOAD(offsetof(struct seccomp_data, arch)), \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCH, 1, 0), \
  RETURN(SECCOMP_RET_KILL_PROCESS), \
  LOAD(NR), \
  NO_SECOND_ABI

#ifdef __NR_time
#define ALLOW_TIME ON(time, SECCOMP_RET_ALLOW),
#else
#define ALLOW_TIME
#endif

#define ALLOW_HARMLESS \
  ON(brk, SECCOMP_RET_ALLOW), \
  ON(munmap, SECCOMP_RET_ALLOW), \
  ON(mremap, SECCOMP_RET_ALLOW), \
  ON(madvise, SECCOMP_RET_ALLOW), \
  ON(futex, SECCOMP_RET_ALLOW), \
  ON(lseek, SECCOMP_RET_ALLOW), \
  ON(close, SECCOMP_RET_ALLOW), \
  ON(exit, SECCOMP_RET_ALLOW), \
  ON(exit_group, SECCOMP_RET_ALLOW), \
  ON(rt_sigreturn, SECCOMP_RET_ALLOW), \
  ON(restart_syscall, SECCOMP_RET_ALLOW), \
  ON(sigaltstack, SECCOMP_RET_ALLOW), /* OCaml 5 frees its own at exit */ \
  ON(getrusage, SECCOMP_RET_ALLOW), \
  ON(clock_gettime, SECCOMP_RET_ALLOW), \
  ON(gettimeofday, SECCOMP_RET_ALLOW), \
  ON(getrandom, SECCOMP_RET_ALLOW), \
  ON(getpid, SECCOMP_RET_ALLOW), \
  ON(getppid, SECCOMP_RET_ALLOW), \
  ON(gettid, SECCOMP_RET_ALLOW), \
  ON(sched_yield, SECCOMP_RET_ALLOW), \
  ON(timer_settime, SECCOMP_RET_ALLOW), \
  ALLOW_TIME

/* Allows `call` on the descriptors `low` to `high`; on none if `low` is above `high`. */
#define ON_DESCRIPTORS(call, low, high) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 5), \
  LOAD(ARG(0)), \
  BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (low), 0, 2), \
  BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, (high), 1, 0), \
  RETURN(SECCOMP_RET_ALLOW), \
  RETURN(ERRNO(EBADF))

/* New memory is anonymous and never executable. */
#define ALLOW_MEMORY \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mmap, 0, 6), \
  LOAD(ARG(2)), \
  BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 3, 0), \
  LOAD(ARG(3)), \
  BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 0, 1), \
  RETURN(SECCOMP_RET_ALLOW), \
  RETURN(ERRNO(EACCES)), \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mprotect, 0, 4), \
  LOAD(ARG(2)), \
  BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0), \
  RETURN(SECCOMP_RET_ALLOW), \
  RETURN(ERRNO(EACCES)),

#if defined(__x86_64__)
#define REFUSE_OLD_CALLS \
  ON(open, ERRNO(EPERM)), \
  ON(stat, ERRNO(EPERM)), \
  ON(lstat, ERRNO(EPERM)), \
  ON(access, ERRNO(EPERM)), \
  ON(readlink, ERRNO(EPERM)), \
  ON(unlink, ERRNO(EPERM)), \
  ON(rename, ERRNO(EPERM)), \
  ON(mkdir, ERRNO(EPERM)), \
  ON(rmdir, ERRNO(EPERM)), \
  ON(pipe, ERRNO(EPERM)), \
  ON(getrlimit, ERRNO(EPERM)),
#else
#define REFUSE_OLD_CALLS \
  ON(renameat, ERRNO(EPERM)),
#endif

/* Calls that the standard library may try. */
#define REFUSE_POLITELY \
  ON(openat, ERRNO(EPERM)), \
  ON(readlinkat, ERRNO(EPERM)), \
  ON(faccessat, ERRNO(EPERM)), \
  ON(newfstatat, ERRNO(EPERM)), \
  ON(fstat, ERRNO(EPERM)), \
  ON(statx, ERRNO(EPERM)), \
  ON(getcwd, ERRNO(EPERM)), \
  ON(chdir, ERRNO(EPERM)), \
  ON(unlinkat, ERRNO(EPERM)), \
  ON(mkdirat, ERRNO(EPERM)), \
  ON(getdents64, ERRNO(EPERM)), \
  ON(ioctl, ERRNO(ENOTTY)), \
  ON(fcntl, ERRNO(EPERM)), \
  ON(rt_sigaction, ERRNO(EPERM)), \
  ON(rt_sigprocmask, ERRNO(EPERM)), \
  ON(setitimer, ERRNO(EPERM)), \
  ON(prlimit64, ERRNO(EPERM)), \
  ON(uname, ERRNO(EPERM)), \
  ON(sysinfo, ERRNO(EPERM)), \
  ON(sched_getaffinity, ERRNO(EPERM)), \
  ON(execve, ERRNO(EPERM)), \
  ON(pipe2, ERRNO(EPERM)), \
  ON(socket, ERRNO(EPERM)), \
  ON(clock_nanosleep, ERRNO(EPERM)), \
  REFUSE_OLD_CALLS

/* Calls that only the zygote needs, to fork, lock and await a child.  In a child the POLITE
 * ones fail and the FATAL ones kill. */
#define ZYGOTE_CALLS(POLITE, FATAL) \
  POLITE(rt_sigaction, EPERM) \
  POLITE(rt_sigprocmask, EPERM) \
  POLITE(prlimit64, EPERM) \
  POLITE(read, EBADF) \
  POLITE(write, EBADF) \
  FATAL(clone) \
  FATAL(ZYGOTE_POLL) \
  FATAL(wait4) \
  FATAL(kill) \
  FATAL(rt_sigtimedwait) \
  FATAL(writev) \
  FATAL(timer_create) \
  FATAL(prctl) \
  FATAL(seccomp) \
  FATAL(setrlimit) \
  FATAL(set_robust_list) \
  FATAL(rseq) \
  FATAL(close_range)

#if defined(__x86_64__)
#define __NR_ZYGOTE_POLL __NR_poll
#else
#define __NR_ZYGOTE_POLL __NR_ppoll
#endif
/* Old headers lack the newest calls. */
#ifndef __NR_rseq
#define __NR_rseq ~0U
#endif
#ifndef __NR_close_range
#define __NR_close_range ~0U
#endif

#define ALLOWED(call, ...) ON(call, SECCOMP_RET_ALLOW),
#define KILLED(call) ON(call, SECCOMP_RET_KILL_PROCESS),
#define REFUSED(call, error) ON(call, ERRNO(error)),

/* Installing a filter is slow, so the zygote installs most of it for its children; a child only
 * adds what removes the zygote's own calls.  The strictest filter counts. */
#define ZYGOTE_FILTER \
  { \
    NATIVE_CALLS_ONLY ZYGOTE_CALLS(ALLOWED, ALLOWED) ALLOW_HARMLESS ALLOW_MEMORY \
    ON(clone3, ERRNO(ENOSYS)), REFUSE_POLITELY RETURN(SECCOMP_RET_KILL_PROCESS), \
  }
#define CHILD_FILTER \
  { \
    LOAD(NR), ZYGOTE_CALLS(REFUSED, KILLED) KILLED(clone3) RETURN(SECCOMP_RET_ALLOW), \
  }

/* A complete filter, for a process that is no child of the zygote. */
#define FILTER(descriptors...) \
  { \
    NATIVE_CALLS_ONLY ALLOW_HARMLESS descriptors, ALLOW_MEMORY REFUSE_POLITELY \
    RETURN(SECCOMP_RET_KILL_PROCESS), \
  }

#endif
