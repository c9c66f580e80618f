"""System call numbers, for the processors that the jails support.

Source: the kernel's own tables, arch/x86/entry/syscalls/syscall_64.tbl and
include/uapi/asm-generic/unistd.h (which aarch64 uses).  Numbers never change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Architecture:
    """One processor: its audit number, its system calls, and where foreign ones start.

    `foreign_from` is the first number of a second ABI that the same kernel answers
    (x32 on x86_64), which a filter must refuse; None where there is none.
    """

    audit: int
    numbers: Mapping[str, int]
    foreign_from: int | None = None


_X86_64 = """
read 0 write 1 open 2 close 3 stat 4 fstat 5 lstat 6 poll 7 lseek 8 mmap 9
mprotect 10 munmap 11 brk 12 rt_sigaction 13 rt_sigprocmask 14 rt_sigreturn 15 ioctl 16 pread64 17
pwrite64 18 readv 19 writev 20 access 21 sched_yield 24 mremap 25 madvise 28 dup 32
dup2 33 nanosleep 35 setitimer 38 getpid 39 execve 59 exit 60 kill 62 uname 63 fcntl 72
ftruncate 77 getdents 78 getcwd 79 chdir 80 rename 82 mkdir 83 rmdir 84 unlink 87
readlink 89 chmod 90 fchmod 91 umask 95 gettimeofday 96 getrlimit 97 getrusage 98 sysinfo 99 times 100
getuid 102 getgid 104 geteuid 107 getegid 108 getppid 110 getgroups 115 getresuid 118
getresgid 120 capget 125 sigaltstack 131 prctl 157 arch_prctl 158 setrlimit 160
gettid 186 tkill 200 time 201 futex 202 sched_getaffinity 204 getdents64 217
set_tid_address 218 timer_create 222 timer_settime 223 clock_gettime 228
clock_getres 229 clock_nanosleep 230 exit_group 231 tgkill 234 openat 257 mkdirat 258
newfstatat 262 fchmodat 268 unlinkat 263 renameat 264 readlinkat 267 faccessat 269
set_robust_list 273 dup3 292 prlimit64 302 renameat2 316 seccomp 317 getrandom 318
statx 332 rseq 334 close_range 436 faccessat2 439
pipe 22 clone 56 fork 57 vfork 58 wait4 61 rt_sigtimedwait 128 timer_delete 226
waitid 247 ppoll 271 pipe2 293 membarrier 324 clone3 435 landlock_create_ruleset 444
landlock_restrict_self 446
select 23 mincore 27 alarm 37 sendfile 40 socket 41 connect 42 getpeername 52 flock 73 fsync 74
fdatasync 75 truncate 76 fchdir 81 creat 85 link 86 symlink 88 chown 92 fchown 93 lchown 94
setpgid 109 getpgrp 111 setsid 112 getpgid 121 getsid 124 rt_sigsuspend 130 utime 132 statfs 137
fstatfs 138 getpriority 140 setxattr 188 lsetxattr 189 fsetxattr 190 getxattr 191 lgetxattr 192
fgetxattr 193 listxattr 194 llistxattr 195 flistxattr 196 fadvise64 221 utimes 235 mknodat 259
fchownat 260 futimesat 261 linkat 265 symlinkat 266 pselect6 270 utimensat 280 fallocate 285
copy_file_range 326
"""

_AARCH64 = """
getcwd 17 dup 23 dup3 24 fcntl 25 ioctl 29 mkdirat 34 unlinkat 35 renameat 38
ftruncate 46 faccessat 48 chdir 49 fchmod 52 fchmodat 53 openat 56 close 57 getdents64 61 lseek 62 read 63
write 64 readv 65 writev 66 pread64 67 pwrite64 68 readlinkat 78 newfstatat 79 fstat 80
capget 90 exit 93 exit_group 94 set_tid_address 96 futex 98 set_robust_list 99
nanosleep 101 setitimer 103 timer_create 107 timer_settime 110 clock_gettime 113
clock_getres 114 clock_nanosleep 115 sched_getaffinity 123 sched_yield 124 kill 129
tkill 130 tgkill 131 sigaltstack 132 rt_sigaction 134 rt_sigprocmask 135
rt_sigreturn 139 getresuid 148 getresgid 150 times 153 getgroups 158 uname 160
getrlimit 163 setrlimit 164 getrusage 165 umask 166 prctl 167 gettimeofday 169
getpid 172 getppid 173 getuid 174 geteuid 175 getgid 176 getegid 177 gettid 178
sysinfo 179 brk 214 munmap 215 mremap 216 execve 221 mmap 222 mprotect 226 madvise 233
prlimit64 261 renameat2 276 seccomp 277 getrandom 278 statx 291 rseq 293
close_range 436 faccessat2 439
pipe2 59 ppoll 73 waitid 95 timer_delete 111 rt_sigtimedwait 137 clone 220 wait4 260
membarrier 283 clone3 435 landlock_create_ruleset 444 landlock_restrict_self 446
setxattr 5 lsetxattr 6 fsetxattr 7 getxattr 8 lgetxattr 9 fgetxattr 10 listxattr 11 llistxattr 12
flistxattr 13 flock 32 mknodat 33 symlinkat 36 linkat 37 statfs 43 fstatfs 44 truncate 45
fallocate 47 fchdir 50 fchownat 54 fchown 55 sendfile 71 pselect6 72 fsync 82 fdatasync 83
utimensat 88 rt_sigsuspend 133 getpriority 141 setpgid 154 getpgid 155 getsid 156 setsid 157
socket 198 connect 203 getpeername 205 mincore 232 fadvise64 223 copy_file_range 285
"""


def _table(text: str) -> dict[str, int]:
    """Return the numbers of system calls, by name."""
    words = text.split()
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


ARCHITECTURES: Mapping[str, Architecture] = {
    "x86_64": Architecture(audit=0xC000003E, numbers=_table(_X86_64), foreign_from=0x40000000),
    "aarch64": Architecture(audit=0xC00000B7, numbers=_table(_AARCH64)),
}
