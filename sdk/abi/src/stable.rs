//! The layout of the boundary as abi_stable derives it, in a separate symbol.

use abi_stable::StableAbi;
use abi_stable::abi_stability::abi_checking::check_layout_compatibility;
use abi_stable::library::AbiHeader;
use abi_stable::type_layout::TypeLayout;

use crate::Plugin;

/// Name of the symbol of type [`StableLayout`].
pub const STABLE_SYMBOL: &str = "simhost_stable_layout_v1";

/// The layout that the types of the boundary have in a plugin, down to the last field.
#[repr(C)]
pub struct StableLayout {
    /// Version of abi_stable, which is read first.
    header: AbiHeader,
    /// Layout of [`Plugin`] and of everything that it contains.
    plugin: &'static TypeLayout,
}

impl StableLayout {
    /// The layout of the crate in which this constant is used.
    pub const OWN: Self = Self { header: AbiHeader::VALUE, plugin: <Plugin as StableAbi>::LAYOUT };

    /// Compares the layout of a plugin with the layout of this host.
    ///
    /// # Errors
    ///
    /// The differences, as abi_stable lists them, or that the plugin has another version of abi_stable.
    pub fn compare(&self) -> Result<(), String> {
        if !self.header.is_valid() {
            let AbiHeader { abi_major, abi_minor, .. } = self.header;
            let AbiHeader { abi_major: major, abi_minor: minor, .. } = AbiHeader::VALUE;
            return Err(format!(
                "the plugin has abi_stable {abi_major}.{abi_minor}, expected {major}.{minor}"
            ));
        }
        check_layout_compatibility(Self::OWN.plugin, self.plugin).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::StableLayout;
    use crate::layout::tests::swapped;
    use abi_stable::StableAbi;

    #[test]
    fn a_layout_fits_itself_and_another_one_is_explained() {
        assert_eq!(StableLayout::OWN.compare(), Ok(()));
        let plugin = <swapped::Plugin as StableAbi>::LAYOUT;
        let text = StableLayout { plugin, ..StableLayout::OWN }.compare().err().unwrap_or_default();
        assert!(text.contains("vendor") && text.contains("name"), "{text}");
        let mut other = StableLayout::OWN;
        other.header.abi_minor += 1;
        assert!(other.compare().err().unwrap_or_default().contains("expected 0."));
    }
}
