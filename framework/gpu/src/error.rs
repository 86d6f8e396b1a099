//! Errors of the crate.

use crate::adapter::{AdapterSummary, Preference};

/// An error of the scan engine.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No adapter of the wanted kind exists on this machine.
    #[error("{}", no_adapter(*wanted, found))]
    NoAdapter {
        /// The preference that no adapter meets.
        wanted: Preference,
        /// Every adapter that was found, of any kind.
        found: Vec<AdapterSummary>,
    },
    /// The driver refused to open a device on the adapter.
    #[error(
        "failed to open a device on {adapter}: {reason}\nhelp: update the driver, or choose another adapter"
    )]
    Open {
        /// The adapter.
        adapter: String,
        /// Message of the driver.
        reason: String,
    },
    /// The device stopped working. No later call on this device succeeds; readings can still be
    /// computed on the CPU.
    #[error("the device is lost: {reason}")]
    Lost {
        /// Message of the driver.
        reason: String,
    },
    /// The device rejected a command, or has too little memory for it.
    #[error("the device failed: {reason}")]
    Device {
        /// Message of the driver.
        reason: String,
    },
    /// The scene needs more bindings of the adapter's largest size than a shader can have.
    #[error(
        "the scene needs {needed} storage buffers of at most {bytes} bytes; the adapter allows {allowed}\n\
         help: reduce the number of triangles, or use an adapter with larger buffers"
    )]
    TooLarge {
        /// Number of storage buffers that the scene needs.
        needed: usize,
        /// Largest size of one buffer in bytes.
        bytes: u64,
        /// Number of storage buffers that a shader can have.
        allowed: usize,
    },
    /// A mesh refers to a missing vertex, or has a coordinate that is not finite.
    #[error("mesh {mesh}: {reason}")]
    Mesh {
        /// Index of the mesh.
        mesh: usize,
        /// The defect.
        reason: String,
    },
    /// An instance refers to a missing mesh, or its pose or scale cannot be used.
    #[error("instance {instance}: {reason}")]
    Instance {
        /// Index of the instance.
        instance: usize,
        /// The defect.
        reason: String,
    },
    /// A pattern has a direction of length zero, or one that is not finite.
    #[error("pattern {pattern}, ray {ray}: expected a finite direction of a length above zero")]
    Pattern {
        /// Index of the pattern.
        pattern: usize,
        /// Index of the ray.
        ray: usize,
    },
    /// A sensor refers to a missing pattern, or its pose or range cannot be used.
    #[error("sensor {sensor}: {reason}")]
    Sensor {
        /// Index of the sensor.
        sensor: usize,
        /// The defect.
        reason: String,
    },
}

impl GpuError {
    /// Whether the device cannot be used again, so that the caller has to continue on the CPU.
    pub fn is_loss(&self) -> bool {
        matches!(self, Self::Lost { .. })
    }
}

fn no_adapter(wanted: Preference, found: &[AdapterSummary]) -> String {
    let list: Vec<String> = found.iter().map(ToString::to_string).collect();
    let list = if list.is_empty() { "no adapter".to_owned() } else { list.join(", ") };
    if wanted == Preference::Software {
        return format!(
            "no software adapter: found {list}; expected Mesa's software Vulkan or OpenGL\n\
             help: install lavapipe, on Debian and Ubuntu the package mesa-vulkan-drivers"
        );
    }
    format!(
        "no hardware adapter: found {list}; expected a GPU with Vulkan, or OpenGL with compute shaders\n\
         help: install the Vulkan driver of the GPU and the Vulkan loader (libvulkan1), or choose `software`"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapter::AdapterKind;

    #[test]
    fn a_missing_adapter_is_reported_with_what_was_found() {
        let found = vec![AdapterSummary {
            name: "llvmpipe".into(),
            driver: String::new(),
            interface: "Vulkan",
            kind: AdapterKind::Software,
            computes: true,
        }];
        let message = GpuError::NoAdapter { wanted: Preference::Require, found }.to_string();
        assert!(message.contains("found llvmpipe (Vulkan, software)"), "{message}");
        assert!(message.contains("help: install"), "{message}");
        let wanted = Preference::Software;
        let message = GpuError::NoAdapter { wanted, found: Vec::new() }.to_string();
        assert!(message.contains("no adapter"), "{message}");
        assert!(message.contains("mesa-vulkan-drivers"), "{message}");
    }
}
