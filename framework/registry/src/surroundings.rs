//! Changes that a library makes in the process while it is loaded, and that the host undoes: the working
//! directory, the file mode mask, the handlers of signals, the signal mask, the locale, and closed standard
//! streams.

#[cfg(unix)]
pub(crate) use unix::Surroundings;

/// Nothing is saved on other systems.
#[cfg(not(unix))]
pub(crate) struct Surroundings;

#[cfg(not(unix))]
impl Surroundings {
    /// Saves nothing.
    pub fn save() -> Self {
        Self
    }

    /// Restores nothing.
    pub fn restore(&self) -> Vec<&'static str> {
        Vec::new()
    }
}

#[cfg(unix)]
mod unix {
    use std::ffi::{CStr, CString, c_int};
    use std::mem::MaybeUninit;
    use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
    use std::path::PathBuf;

    /// Signals whose handlers are restored: those that end or stop a program, and those that report
    /// crashes.
    const SIGNALS: [c_int; 12] = [
        libc::SIGINT,
        libc::SIGTERM,
        libc::SIGHUP,
        libc::SIGQUIT,
        libc::SIGPIPE,
        libc::SIGSEGV,
        libc::SIGBUS,
        libc::SIGILL,
        libc::SIGFPE,
        libc::SIGABRT,
        libc::SIGALRM,
        libc::SIGCHLD,
    ];

    /// State of the process before libraries are loaded.
    pub(crate) struct Surroundings {
        folder: Option<PathBuf>,
        file_mode: libc::mode_t,
        locale: Option<CString>,
        blocked: libc::sigset_t,
        handlers: [libc::sigaction; SIGNALS.len()],
        streams: [Option<Stream>; 3],
    }

    impl Surroundings {
        /// Saves the state.
        pub fn save() -> Self {
            Self {
                folder: std::env::current_dir().ok(),
                file_mode: file_mode(),
                locale: locale(),
                blocked: mask(),
                handlers: SIGNALS.map(handler),
                streams: [0, 1, 2].map(Stream::save),
            }
        }

        /// Restores what has changed since, and returns its names.
        pub fn restore(&self) -> Vec<&'static str> {
            let has_changed = [
                (self.restore_folder(), "the working directory"),
                (self.restore_file_mode(), "the file mode mask"),
                (self.restore_locale(), "the locale"),
                (self.restore_handlers(), "the handlers of signals"),
                (self.restore_mask(), "the signal mask"),
                (
                    self.streams.iter().flatten().filter(|stream| stream.restore()).count() > 0,
                    "the standard streams",
                ),
            ];
            has_changed.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect()
        }

        fn restore_folder(&self) -> bool {
            let Some(folder) = &self.folder else { return false };
            let is_same = std::env::current_dir().is_ok_and(|now| now == *folder);
            !is_same && std::env::set_current_dir(folder).is_ok()
        }

        fn restore_file_mode(&self) -> bool {
            // SAFETY: the call cannot fail.
            unsafe { libc::umask(self.file_mode) != self.file_mode }
        }

        fn restore_locale(&self) -> bool {
            let Some(before) = &self.locale else { return false };
            let has_changed = locale().as_ref() != Some(before);
            if has_changed {
                // SAFETY: the text is terminated; no other thread of this program uses the locale.
                unsafe { libc::setlocale(libc::LC_ALL, before.as_ptr()) };
            }
            has_changed
        }

        fn restore_handlers(&self) -> bool {
            let mut has_changed = false;
            for (signal, before) in SIGNALS.iter().zip(&self.handlers) {
                let now = handler(*signal);
                if now.sa_sigaction != before.sa_sigaction || now.sa_flags != before.sa_flags {
                    // SAFETY: the action was read by `handler`.
                    unsafe { libc::sigaction(*signal, before, std::ptr::null_mut()) };
                    has_changed = true;
                }
            }
            has_changed
        }

        fn restore_mask(&self) -> bool {
            let (now, before) = (mask(), &self.blocked);
            let is_same = |signal: &c_int| is_blocked(&now, *signal) == is_blocked(before, *signal);
            let has_changed = !SIGNALS.iter().all(is_same);
            if has_changed {
                let none = std::ptr::null_mut();
                // SAFETY: the mask was read by `mask`.
                unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const *before, none) };
            }
            has_changed
        }
    }

    /// Returns the file mode mask, which can only be read by replacing it.
    fn file_mode() -> libc::mode_t {
        // SAFETY: the calls cannot fail.
        unsafe {
            let mask = libc::umask(0o077);
            libc::umask(mask);
            mask
        }
    }

    /// Returns the name of the locale.
    fn locale() -> Option<CString> {
        // SAFETY: the name is copied before anything else uses the locale.
        unsafe {
            let name = libc::setlocale(libc::LC_ALL, std::ptr::null());
            (!name.is_null()).then(|| CStr::from_ptr(name).to_owned())
        }
    }

    /// Returns the signals that this thread blocks.
    fn mask() -> libc::sigset_t {
        let mut mask = MaybeUninit::zeroed();
        // SAFETY: the function only writes the mask; zero is a valid one.
        unsafe {
            libc::pthread_sigmask(libc::SIG_SETMASK, std::ptr::null(), mask.as_mut_ptr());
            mask.assume_init()
        }
    }

    fn is_blocked(mask: &libc::sigset_t, signal: c_int) -> bool {
        // SAFETY: the mask is valid.
        unsafe { libc::sigismember(mask, signal) == 1 }
    }

    /// Returns the action for a signal.
    fn handler(signal: c_int) -> libc::sigaction {
        let mut action = MaybeUninit::zeroed();
        // SAFETY: the function only writes the action; zero is a valid one.
        unsafe {
            libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
            action.assume_init()
        }
    }

    /// A standard stream, and the file that it leads to.
    struct Stream {
        number: c_int,
        copy: OwnedFd,
        file: (u64, u64),
    }

    impl Stream {
        /// Duplicates an open stream.
        fn save(number: c_int) -> Option<Self> {
            let file = file_of(number)?;
            // SAFETY: the descriptor was open just now, and only this thread closes it.
            let copy = unsafe { BorrowedFd::borrow_raw(number) }.try_clone_to_owned().ok()?;
            Some(Self { number, copy, file })
        }

        /// Puts the stream back if it is closed or leads elsewhere. Returns whether it was.
        fn restore(&self) -> bool {
            let has_changed = file_of(self.number) != Some(self.file);
            if has_changed {
                // SAFETY: both are descriptors, and `dup2` replaces the second one.
                unsafe { libc::dup2(self.copy.as_raw_fd(), self.number) };
            }
            has_changed
        }
    }

    /// Returns device and number of the file of an open descriptor.
    fn file_of(number: c_int) -> Option<(u64, u64)> {
        let mut file = MaybeUninit::<libc::stat>::zeroed();
        // SAFETY: the function only writes the struct, and fails for a closed descriptor.
        let file =
            unsafe { (libc::fstat(number, file.as_mut_ptr()) == 0).then(|| file.assume_init()) }?;
        #[allow(clippy::unnecessary_cast, reason = "the types differ between systems")]
        Some((file.st_dev as u64, file.st_ino as u64))
    }
}
