//! A device whose failures are values, never panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::adapter::{self, AdapterSummary, Preference};
use crate::error::GpuError;

/// First failure that the driver reported on a separate thread.
#[derive(Default)]
struct Failure(Mutex<Option<GpuError>>);

impl Failure {
    fn lock(&self) -> MutexGuard<'_, Option<GpuError>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A loss replaces any other failure, because it is final.
    fn report(&self, failure: GpuError) {
        let mut first = self.lock();
        if first.is_none() || (failure.is_loss() && !first.as_ref().is_some_and(GpuError::is_loss))
        {
            *first = Some(failure);
        }
    }
}

/// An open device of an adapter. Clones share it.
#[derive(Clone)]
pub struct Device {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    summary: AdapterSummary,
    failure: Arc<Failure>,
}

impl Device {
    /// Opens a device on the adapter that the preference chooses.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`] if there is no such adapter, which is always the case for
    /// [`Preference::Off`], and [`GpuError::Open`] if the driver refuses.
    pub fn open(preference: Preference) -> Result<Self, GpuError> {
        let missing = |found| GpuError::NoAdapter { wanted: preference, found };
        let (summary, adapter) = adapter::open(preference).map_err(missing)?;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("simhost"),
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let refused = |error: wgpu::RequestDeviceError| GpuError::Open {
            adapter: summary.to_string(),
            reason: error.to_string(),
        };
        let (device, queue) =
            pollster::block_on(adapter.request_device(&descriptor)).map_err(refused)?;
        let failure = Arc::new(Failure::default());
        let lost = Arc::clone(&failure);
        device.set_device_lost_callback(move |reason, message| {
            let reason = if message.is_empty() { format!("{reason:?}") } else { message };
            lost.report(GpuError::Lost { reason });
        });
        let failed = Arc::clone(&failure);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            failed.report(GpuError::Device { reason: error.to_string() });
        }));
        Ok(Self { device, queue, summary, failure })
    }

    /// Returns the adapter of the device.
    pub fn adapter(&self) -> &AdapterSummary {
        &self.summary
    }

    /// Returns the device of wgpu, for shaders that use results without a copy to the CPU.
    pub fn wgpu(&self) -> (&wgpu::Device, &wgpu::Queue) {
        (&self.device, &self.queue)
    }

    /// Gives the device back. Every later call fails with [`GpuError::Lost`].
    pub fn destroy(&self) {
        self.device.destroy();
        self.failure.report(GpuError::Lost { reason: "it was destroyed".into() });
    }

    /// Returns the failure that the driver has reported, if any. A loss stays; any other failure
    /// is reported once.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        let mut failure = self.failure.lock();
        match &*failure {
            None => Ok(()),
            Some(loss) if loss.is_loss() => Err(loss.clone()),
            Some(_) => failure.take().map_or(Ok(()), Err),
        }
    }

    /// Waits until everything that was submitted is done.
    pub(crate) fn wait(&self) -> Result<(), GpuError> {
        self.check()?;
        // wgpu panics if the device is lost while it waits
        let waited = catch_unwind(AssertUnwindSafe(|| {
            self.device.poll(wgpu::PollType::wait_indefinitely())
        }));
        match waited {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => self.failure.report(GpuError::Device { reason: error.to_string() }),
            Err(_) => {
                self.failure.report(GpuError::Lost { reason: "it failed while in use".into() })
            }
        }
        self.check()
    }

    /// Returns the largest size in bytes of a buffer that a shader can read.
    pub(crate) fn largest_buffer(&self) -> u64 {
        let limits = self.device.limits();
        limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
    }

    /// Creates a buffer of at least 16 bytes.
    ///
    /// # Errors
    /// [`GpuError::Device`] if the device has too little memory.
    pub(crate) fn buffer(
        &self,
        label: &str,
        bytes: u64,
        usage: wgpu::BufferUsages,
    ) -> Result<wgpu::Buffer, GpuError> {
        let size = bytes.max(16).next_multiple_of(16);
        let descriptor =
            wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false };
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let invalid = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let buffer = self.device.create_buffer(&descriptor);
        let invalid = pollster::block_on(invalid.pop());
        let memory = pollster::block_on(memory.pop());
        match memory.or(invalid) {
            Some(error) => {
                Err(GpuError::Device { reason: format!("{label} of {size} bytes: {error}") })
            }
            None => Ok(buffer),
        }
    }

    /// Creates a storage buffer with this content.
    pub(crate) fn upload(&self, label: &str, words: &[u32]) -> Result<wgpu::Buffer, GpuError> {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let buffer = self.buffer(label, size_of_val(words) as u64, usage)?;
        self.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(words));
        Ok(buffer)
    }
}
