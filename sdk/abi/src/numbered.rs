//! Numbers of variants at the boundary.

/// Lists the variants of an enum, and finds one by its number.
macro_rules! numbered {
    ($name:ident: $($variant:ident),+) => {
        impl $name {
            /// Every kind.
            pub const ALL: [Self; [$(Self::$variant),+].len()] = [$(Self::$variant),+];

            /// Returns the kind with this number.
            pub const fn from_u32(number: u32) -> Option<Self> {
                let mut at = 0;
                while at < Self::ALL.len() {
                    if Self::ALL[at] as u32 == number {
                        return Some(Self::ALL[at]);
                    }
                    at += 1;
                }
                None
            }
        }

        // no variant is left out
        const _: fn($name) = |kind| match kind {
            $($name::$variant)|+ => {}
        };
    };
}
pub(crate) use numbered;
