//! Redirection of the output of libraries, so that it does not mix with results on standard output.

/// Redirects the standard output of the process to standard error until it is dropped.
pub(crate) struct Quiet {
    #[cfg(unix)]
    saved: Option<std::os::fd::OwnedFd>,
}

#[cfg(unix)]
mod unix {
    use std::ffi::{c_int, c_void};

    unsafe extern "C" {
        fn fflush(stream: *mut c_void) -> c_int;
    }

    /// Flushes all streams of the C library.
    pub(crate) fn flush_c() {
        // SAFETY: null means every open output stream.
        unsafe { fflush(std::ptr::null_mut()) };
    }
}

/// Flushes the streams of the C library on platforms that have one.
pub(crate) fn flush() {
    #[cfg(unix)]
    unix::flush_c();
}

impl Quiet {
    /// Starts the redirection.
    #[cfg(unix)]
    pub(crate) fn begin() -> Self {
        use std::io::Write;
        use std::os::fd::AsFd;
        let _ = std::io::stdout().flush();
        flush();
        let saved = std::io::stdout().as_fd().try_clone_to_owned().ok();
        let turned = saved.is_some() && rustix::stdio::dup2_stdout(std::io::stderr()).is_ok();
        Self { saved: saved.filter(|_| turned) }
    }

    /// Starts the redirection.
    #[cfg(not(unix))]
    pub(crate) fn begin() -> Self {
        Self {}
    }
}

#[cfg(unix)]
impl Drop for Quiet {
    fn drop(&mut self) {
        flush();
        if let Some(saved) = self.saved.take() {
            let _ = rustix::stdio::dup2_stdout(saved);
        }
    }
}
