//! Choice of the adapter on which scans run.

use std::fmt;

/// Storage buffers that the shader binds at least.
pub(crate) const LEAST_BUFFERS: u32 = 7;

/// Which adapter a program wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preference {
    /// No adapter: everything is computed on the CPU.
    #[default]
    Off,
    /// A hardware adapter if there is one, and the CPU otherwise.
    Auto,
    /// A hardware adapter. Its absence is an error.
    Require,
    /// An adapter that runs on the CPU, for tests of correctness. Its absence is an error.
    Software,
}

impl Preference {
    fn accepts(self, kind: AdapterKind) -> bool {
        match self {
            Self::Off => false,
            Self::Auto | Self::Require => kind.is_hardware(),
            Self::Software => kind == AdapterKind::Software,
        }
    }
}

/// Kind of an adapter, in the order in which kinds are preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum AdapterKind {
    /// A GPU with dedicated memory.
    Discrete,
    /// A GPU that shares the memory of the CPU.
    Integrated,
    /// A GPU of the host of a virtual machine.
    Virtual,
    /// The CPU.
    Software,
    /// An adapter whose driver does not report its kind. It is never chosen.
    Unknown,
}

impl AdapterKind {
    /// Whether the adapter is a GPU.
    pub fn is_hardware(self) -> bool {
        matches!(self, Self::Discrete | Self::Integrated | Self::Virtual)
    }
}

impl From<wgpu::DeviceType> for AdapterKind {
    fn from(kind: wgpu::DeviceType) -> Self {
        match kind {
            wgpu::DeviceType::DiscreteGpu => Self::Discrete,
            wgpu::DeviceType::IntegratedGpu => Self::Integrated,
            wgpu::DeviceType::VirtualGpu => Self::Virtual,
            wgpu::DeviceType::Cpu => Self::Software,
            wgpu::DeviceType::Other => Self::Unknown,
        }
    }
}

/// Name, driver and kind of an adapter, for messages and manifests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterSummary {
    /// Name that the driver gives the adapter.
    pub name: String,
    /// Name and version of the driver.
    pub driver: String,
    /// `Vulkan` or `OpenGL`.
    pub interface: &'static str,
    /// Kind of the adapter.
    pub kind: AdapterKind,
    /// Whether the adapter runs the compute shaders of this crate.
    pub computes: bool,
}

impl fmt::Display for AdapterSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            AdapterKind::Discrete => "discrete GPU",
            AdapterKind::Integrated => "integrated GPU",
            AdapterKind::Virtual => "virtual GPU",
            AdapterKind::Software => "software",
            AdapterKind::Unknown => "unknown kind",
        };
        write!(f, "{} ({}, {kind}", self.name, self.interface)?;
        if !self.computes {
            f.write_str(", without compute shaders")?;
        }
        f.write_str(")")
    }
}

fn summary(adapter: &wgpu::Adapter) -> AdapterSummary {
    let info = adapter.get_info();
    let flags = adapter.get_downlevel_capabilities().flags;
    let buffers = adapter.limits().max_storage_buffers_per_shader_stage;
    let opengl = info.backend == wgpu::Backend::Gl;
    AdapterSummary {
        name: info.name,
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        interface: if opengl { "OpenGL" } else { "Vulkan" },
        kind: info.device_type.into(),
        computes: flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS) && buffers >= LEAST_BUFFERS,
    }
}

fn enumerate(backends: wgpu::Backends) -> Vec<(AdapterSummary, wgpu::Adapter)> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = backends;
    descriptor.flags = wgpu::InstanceFlags::empty();
    let adapters = pollster::block_on(wgpu::Instance::new(descriptor).enumerate_adapters(backends));
    adapters.into_iter().map(|adapter| (summary(&adapter), adapter)).collect()
}

/// Returns every adapter with Vulkan or OpenGL.
pub fn adapters() -> Vec<AdapterSummary> {
    let all = enumerate(wgpu::Backends::VULKAN | wgpu::Backends::GL);
    all.into_iter().map(|(summary, _)| summary).collect()
}

/// Returns the index of the adapter that a preference chooses: Vulkan before OpenGL, discrete before
/// integrated before virtual GPUs, and then the first that the drivers list.
pub fn choose(preference: Preference, found: &[AdapterSummary]) -> Option<usize> {
    let usable = found.iter().enumerate();
    let usable = usable.filter(|(_, adapter)| adapter.computes && preference.accepts(adapter.kind));
    usable.min_by_key(|(_, adapter)| (adapter.interface != "Vulkan", adapter.kind)).map(|(k, _)| k)
}

/// Returns the adapter that a preference chooses, or all that were found. Looks for adapters with
/// OpenGL only if none with Vulkan is suitable.
pub(crate) fn open(
    preference: Preference,
) -> Result<(AdapterSummary, wgpu::Adapter), Vec<AdapterSummary>> {
    let mut found = Vec::new();
    for backends in [wgpu::Backends::VULKAN, wgpu::Backends::GL] {
        let mut adapters = enumerate(backends);
        let summaries: Vec<AdapterSummary> =
            adapters.iter().map(|(summary, _)| summary.clone()).collect();
        if let Some(chosen) = choose(preference, &summaries) {
            return Ok(adapters.swap_remove(chosen));
        }
        found.extend(summaries);
    }
    Err(found)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn adapter(name: &str, interface: &'static str, kind: AdapterKind) -> AdapterSummary {
        let driver = String::new();
        AdapterSummary { name: name.into(), driver, interface, kind, computes: true }
    }

    #[test]
    fn only_software_chooses_a_cpu() {
        let found = [adapter("llvmpipe", "Vulkan", AdapterKind::Software)];
        assert_eq!(choose(Preference::Auto, &found), None);
        assert_eq!(choose(Preference::Require, &found), None);
        assert_eq!(choose(Preference::Off, &found), None);
        assert_eq!(choose(Preference::Software, &found), Some(0));
    }

    #[test]
    fn vulkan_before_opengl_and_discrete_before_integrated() {
        let mut found = vec![
            adapter("other", "Vulkan", AdapterKind::Unknown),
            adapter("large", "OpenGL", AdapterKind::Discrete),
            adapter("small", "Vulkan", AdapterKind::Integrated),
            adapter("large", "Vulkan", AdapterKind::Discrete),
            adapter("llvmpipe", "Vulkan", AdapterKind::Software),
        ];
        assert_eq!(choose(Preference::Auto, &found), Some(3));
        found[3].computes = false;
        assert_eq!(choose(Preference::Require, &found), Some(2));
        assert_eq!(choose(Preference::Software, &found), Some(4));
    }
}
