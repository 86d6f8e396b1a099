//! The `<scale>` element: a vehicle of another size with the same performance.

use simhost_model::{ScalingLaw, Size};

use crate::reader::{Words, declare, words};
use crate::sources::Span;
use crate::vocabulary::field::attribute;
use crate::vocabulary::{Value, element, number};

declare! {
    /// Size of the vehicle relative to its description. Masses, inertias, torques, gearing and drag follow,
    /// so that the velocity over time v(t) stays the same.
    section = element("scale");

    /// The size of a vehicle relative to its description.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(super) struct Scale {
        /// Factor on all lengths.
        factor: f64 = attribute(number("1").at_least(0.001).at_most(1000.0)).required();
        /// Whether the mass grows with the third power of the size, or stays the same.
        law: ScalingLaw = attribute(Value::Choice(ScalingLaw::WORDS)).or("constant_density");
        /// Position of the element.
        pub span: Span => |reader| reader.element.name_span;
    }
}

words!(ScalingLaw { "constant_density" => ConstantDensity, "constant_mass" => ConstantMass });

impl Scale {
    /// Returns the size.
    pub fn size(&self) -> Size {
        Size { factor: self.factor, law: self.law }
    }
}
