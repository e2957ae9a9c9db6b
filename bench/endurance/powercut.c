/* A shim for LD_PRELOAD that writes down what a process does to the files of one folder, and can let it fail.
 *
 * POWERCUT_FOLDER names the folder and POWERCUT_LOG the log: every write, change of length, name and flush, in the order
 * in which they were carried out. What a power cut at any place of that log may leave is worked out from it afterwards
 * (replay.py). POWERCUT_CONTROL names a file of 16 bytes that both sides have mapped: what fails just now, with which
 * chance in 65536, and how often it has failed.
 *
 * The log is written by plain system calls, one for each record, so that its length at any moment is a place in it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { NEW = 1, LENGTH, WRITE, SYNC, SYNC_FOLDER, RENAME, UNLINK, LINK };
enum { NOTHING = 0, NO_SPACE, BAD_DISK, LYING };

struct record {
    uint32_t kind, file;
    uint64_t offset;
    uint32_t name_length, data_length;
};

struct control {
    volatile uint32_t mode, chance, hits, seed;
};

struct known {
    dev_t device;
    ino_t inode;
    uint32_t file;
};

#define DESCRIPTORS 65536
#define FOLDER UINT32_MAX

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];
static size_t folder_length;
static int journal = -1;
static struct control *control;
static struct control nobody;
/* The file of each descriptor; 0 is none of ours. */
static uint32_t files[DESCRIPTORS];
static char *folders[DESCRIPTORS];
static struct known known[DESCRIPTORS];
static uint32_t known_count, file_count;


__attribute__((constructor)) static void begin(void) {
    const char *where = getenv("POWERCUT_FOLDER"), *log = getenv("POWERCUT_LOG"), *told = getenv("POWERCUT_CONTROL");
    control = &nobody;
    if (!where || !realpath(where, folder)) return;
    folder_length = strlen(folder);
    if (log) {
        int fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
        journal = fd < 0 ? -1 : (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 1000);
        if (fd >= 0) syscall(SYS_close, fd);
    }
    int fd = told ? (int)syscall(SYS_openat, AT_FDCWD, told, O_RDWR | O_CLOEXEC, 0) : -1;
    if (fd >= 0) {
        void *at = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (at != MAP_FAILED) control = at;
        syscall(SYS_close, fd);
    }
}

static int is_of_folder(const char *path) {
    return folder_length && strncmp(path, folder, folder_length) == 0
        && (path[folder_length] == '/' || path[folder_length] == 0);
}

/* The whole name of a path whose last part need not be there; gives whether it is ours. */
static int name_of(int at, const char *path, char *name) {
    if (!folder_length || !path) return 0;
    if (path[0] == '/') {
        snprintf(name, PATH_MAX, "%s", path);
    } else if (at == AT_FDCWD) {
        if (!getcwd(name, PATH_MAX)) return 0;
        size_t length = strlen(name);
        snprintf(name + length, PATH_MAX - length, "/%s", path);
    } else if (at >= 0 && at < DESCRIPTORS && folders[at]) {
        snprintf(name, PATH_MAX, "%s/%s", folders[at], path);
    } else {
        return 0;
    }
    /* The index of the log is memory that processes share; it is made anew after a crash. */
    size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, "-shm") == 0) return 0;
    return is_of_folder(name);
}

static void tell(uint32_t kind, uint32_t file, uint64_t offset, const char *name, const void *data, size_t size) {
    if (journal < 0) return;
    size_t name_length = name ? strlen(name) : 0;
    struct record record = {kind, file, offset, (uint32_t)name_length, (uint32_t)size};
    struct iovec parts[] = {{&record, sizeof record}, {(void *)name, name_length}, {(void *)data, size}};
    if (syscall(SYS_writev, journal, parts, 3) != (ssize_t)(sizeof record + name_length + size)) abort();
}

/* A number that comes again with the same seed and turn. */
static int happens(void) {
    control->seed = control->seed * 1664525u + 1013904223u;
    return (control->seed >> 16) < control->chance;
}

/* The error with which a change of a file fails just now; 0 for none. */
static int failure(int grows) {
    int error = 0;
    if (control->mode == NO_SPACE && grows) error = ENOSPC;
    if (control->mode == BAD_DISK && happens()) error = EIO;
    if (error) control->hits++;
    return error;
}

static uint32_t file_of(int fd) { return fd >= 0 && fd < DESCRIPTORS ? files[fd] : 0; }

static uint64_t length_of(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 ? (uint64_t)status.st_size : 0;
}

/* Remembers what a descriptor is of. */
static void opened(int fd, const char *name, int is_new, int flags) {
    struct stat status;
    if (fd >= DESCRIPTORS || fstat(fd, &status) != 0) return;
    free(folders[fd]);
    folders[fd] = NULL;
    if (S_ISDIR(status.st_mode)) {
        folders[fd] = strdup(name);
        files[fd] = FOLDER;
        return;
    }
    uint32_t place = 0;
    while (place < known_count && (known[place].device != status.st_dev || known[place].inode != status.st_ino)) place++;
    if (place == known_count && known_count < DESCRIPTORS) known_count++;
    if (is_new || known[place].file == 0) {
        known[place] = (struct known){status.st_dev, status.st_ino, ++file_count};
        /* A file that was there before has 1 in the place of the offset. */
        tell(NEW, file_count, is_new ? 0 : 1, name, NULL, 0);
    } else if (flags & O_TRUNC) {
        tell(LENGTH, known[place].file, 0, NULL, NULL, 0);
    }
    files[fd] = known[place].file;
}

static int open_it(int at, const char *path, int flags, mode_t mode) {
    char name[PATH_MAX];
    if (!name_of(at, path, name)) return (int)syscall(SYS_openat, at, path, flags, mode);
    pthread_mutex_lock(&turn);
    int is_new = (flags & O_CREAT) && syscall(SYS_faccessat, AT_FDCWD, name, F_OK) != 0;
    int error = is_new ? failure(1) : 0, fd = -1;
    if (!error) {
        fd = (int)syscall(SYS_openat, at, path, flags, mode);
        error = errno;
        if (fd >= 0) opened(fd, name, is_new, flags);
    }
    pthread_mutex_unlock(&turn);
    errno = error;
    return fd;
}

#define MODE(flags) \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
        va_list more; \
        va_start(more, flags); \
        mode = va_arg(more, mode_t); \
        va_end(more); \
    }
int open(const char *path, int flags, ...) { MODE(flags) return open_it(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return open_it(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return open_it(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return open_it(at, path, flags, mode); }

int close(int fd) {
    if (file_of(fd)) {
        pthread_mutex_lock(&turn);
        files[fd] = 0;
        free(folders[fd]);
        folders[fd] = NULL;
        pthread_mutex_unlock(&turn);
    }
    return (int)syscall(SYS_close, fd);
}

static ssize_t write_at(int fd, const void *data, size_t size, int64_t offset) {
    uint32_t file = file_of(fd);
    pthread_mutex_lock(&turn);
    int64_t at = offset;
    if (at < 0) {
        int flags = (int)syscall(SYS_fcntl, fd, F_GETFL);
        at = (flags & O_APPEND) ? (int64_t)length_of(fd) : lseek(fd, 0, SEEK_CUR);
    }
    int error = failure((uint64_t)at + size > length_of(fd));
    ssize_t written = -1;
    if (!error) {
        written = offset < 0 ? syscall(SYS_write, fd, data, size) : syscall(SYS_pwrite64, fd, data, size, offset);
        error = errno;
        if (written > 0) tell(WRITE, file, (uint64_t)at, NULL, data, (size_t)written);
    }
    pthread_mutex_unlock(&turn);
    errno = error;
    return written;
}

ssize_t write(int fd, const void *data, size_t size) {
    if (!file_of(fd)) return syscall(SYS_write, fd, data, size);
    return write_at(fd, data, size, -1);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) {
    if (!file_of(fd)) return syscall(SYS_pwrite64, fd, data, size, offset);
    return write_at(fd, data, size, offset);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) { return pwrite64(fd, data, size, offset); }
ssize_t writev(int fd, const struct iovec *parts, int count) {
    if (!file_of(fd)) return syscall(SYS_writev, fd, parts, count);
    for (int part = 0; part < count; part++)
        if (parts[part].iov_len) return write_at(fd, parts[part].iov_base, parts[part].iov_len, -1);
    return 0;
}

/* Whoever copies inside the kernel has to write instead. */
ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *to_at, size_t size, unsigned flags) {
    if (!file_of(to)) return syscall(SYS_copy_file_range, from, at, to, to_at, size, flags);
    errno = ENOSYS;
    return -1;
}
ssize_t sendfile64(int to, int from, off64_t *at, size_t size) {
    if (!file_of(to)) return syscall(SYS_sendfile, to, from, at, size);
    errno = ENOSYS;
    return -1;
}
ssize_t sendfile(int to, int from, off_t *at, size_t size) { return sendfile64(to, from, at, size); }

int ftruncate64(int fd, off64_t length) {
    uint32_t file = file_of(fd);
    if (!file) return (int)syscall(SYS_ftruncate, fd, length);
    pthread_mutex_lock(&turn);
    int error = failure((uint64_t)length > length_of(fd)), result = -1;
    if (!error) {
        result = (int)syscall(SYS_ftruncate, fd, length);
        error = errno;
        if (result == 0) tell(LENGTH, file, (uint64_t)length, NULL, NULL, 0);
    }
    pthread_mutex_unlock(&turn);
    errno = error;
    return result;
}
int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

int posix_fallocate64(int fd, off64_t offset, off64_t size) {
    if (!file_of(fd)) return syscall(SYS_fallocate, fd, 0, offset, size) == 0 ? 0 : errno;
    uint64_t length = (uint64_t)offset + (uint64_t)size;
    return length <= length_of(fd) || ftruncate64(fd, (off64_t)length) == 0 ? 0 : errno;
}
int posix_fallocate(int fd, off_t offset, off_t size) { return posix_fallocate64(fd, offset, size); }

static int flush(int fd, long call) {
    uint32_t file = file_of(fd);
    if (!file) return (int)syscall(call, fd);
    pthread_mutex_lock(&turn);
    int error = failure(0), result = -1;
    if (!error) {
        /* The real disk is not what is tried here, and flushing it would take most of the time. */
        result = 0;
        if (control->mode == LYING) {
            control->hits++;
        } else if (file == FOLDER) {
            tell(SYNC_FOLDER, 0, 0, folders[fd], NULL, 0);
        } else {
            tell(SYNC, file, 0, NULL, NULL, 0);
        }
    }
    pthread_mutex_unlock(&turn);
    errno = error;
    return result;
}
int fsync(int fd) { return flush(fd, SYS_fsync); }
int fdatasync(int fd) { return flush(fd, SYS_fdatasync); }

static int change_names(uint32_t kind, int at, const char *path, int to, const char *new_path, long flags) {
    char name[PATH_MAX] = "", new_name[PATH_MAX] = "";
    int is_ours = name_of(at, path, name), becomes_ours = new_path && name_of(to, new_path, new_name);
    pthread_mutex_lock(&turn);
    long result;
    if (kind == UNLINK) {
        result = syscall(SYS_unlinkat, at, path, flags);
    } else if (kind == LINK) {
        result = syscall(SYS_linkat, at, path, to, new_path, flags);
    } else {
        result = syscall(SYS_renameat2, at, path, to, new_path, flags);
    }
    int error = errno;
    if (result == 0 && (is_ours || becomes_ours) && !(kind == UNLINK && flags)) {
        tell(kind, 0, 0, name, new_name, strlen(new_name));
    }
    pthread_mutex_unlock(&turn);
    errno = error;
    return (int)result;
}
int rename(const char *from, const char *to) { return change_names(RENAME, AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int at, const char *from, int to_at, const char *to) { return change_names(RENAME, at, from, to_at, to, 0); }
int renameat2(int at, const char *from, int to_at, const char *to, unsigned flags) {
    return change_names(RENAME, at, from, to_at, to, flags);
}
int unlink(const char *path) { return change_names(UNLINK, AT_FDCWD, path, 0, NULL, 0); }
int unlinkat(int at, const char *path, int flags) { return change_names(UNLINK, at, path, 0, NULL, flags); }
int link(const char *from, const char *to) { return change_names(LINK, AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int at, const char *from, int to_at, const char *to, int flags) {
    return change_names(LINK, at, from, to_at, to, flags);
}
