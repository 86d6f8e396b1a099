//! The friction models of a vehicle and of its wheels.

use std::sync::Arc;

use simhost_abi::Kind;

use crate::context::Context;
use crate::models::{ModelUse, bind, class_of};
use crate::reader::{ElementReader, declare};
use crate::tree::Element;
use crate::vocabulary::field::attribute;
use crate::vocabulary::{Section, Value, section};

/// The friction model of a wheel with a separate model.
#[derive(Clone, Debug)]
pub struct WheelFriction {
    /// Index of the wheel.
    pub wheel: usize,
    /// The model.
    pub model: Arc<ModelUse>,
}

declare! {
    const ENTRIES {
        /// Class of the friction model.
        class =
            attribute(Value::Class(Kind::Friction))
                .or_else("from the vehicle's class, or `default`; in a wheel, from the vehicle");
    }
}

pub(super) static FRICTION: Section = section(
    "friction",
    "Force between wheels and ground, with the parameters of the class.",
    ENTRIES,
)
.with_model(Kind::Friction);

/// Reads the friction model of a vehicle or of a wheel. An element without a class modifies `base`,
/// the model of the vehicle's class or of the vehicle, unless the profile makes it independent.
pub(super) fn read(
    context: &mut Context<'_>,
    element: &Element,
    base: Option<&Arc<ModelUse>>,
) -> Option<Arc<ModelUse>> {
    let base = modified(context, element, base);
    let mut reader = ElementReader::new(context, element, &FRICTION);
    let (model, span) = match base {
        Some(base) => (base.model.clone(), base.span),
        None => {
            let (variants, span) = class_of(&mut reader, Kind::Friction, "default")?;
            (variants.first()?.clone(), span)
        }
    };
    reader.take("class");
    let model = bind(&mut reader, Kind::Friction, model, span, base.map(|base| &**base));
    reader.finish();
    Some(Arc::new(model))
}

/// Returns the model that an element modifies.
fn modified<'b>(
    context: &Context<'_>,
    element: &Element,
    base: Option<&'b Arc<ModelUse>>,
) -> Option<&'b Arc<ModelUse>> {
    base.filter(|_| !context.profile.friction_stands_alone && element.attribute("class").is_none())
}

/// Returns the friction model of a vehicle without `<friction>`. Errors are reported at `place`.
pub(crate) fn default_friction(
    context: &mut Context<'_>,
    place: &Element,
) -> Option<Arc<ModelUse>> {
    read(context, &place.without_content(), None)
}
