//! `<geometry>` of a block.

use simhost_scene::Primitive;

use crate::reader::Reader;
use crate::tag::Tag;
use crate::vocabulary::block::GEOMETRY;
use crate::xml::Element;

impl Reader<'_> {
    /// A simple body, or none with an error reported.
    pub(crate) fn geometry(&mut self, element: &Element) -> Option<Primitive> {
        let mut tag = Tag::new(self, element, &GEOMETRY);
        let kind = tag.given_word("type");
        let (radius, length) = (tag.given_number("radius"), tag.given_number("length"));
        let lengths = ["lx", "ly", "lz"].map(|name| tag.given_number(name));
        let vertex_count = tag.count("vertex_count");
        let kind = tag.needed("type", kind);
        let lengths = match kind {
            Some("cylinder" | "sphere") | None => None,
            Some(_) => tag.all_needed(["lx", "ly", "lz"], lengths),
        };
        let primitive = match kind {
            Some("cylinder") => tag
                .all_needed(["radius", "length"], [radius, length])
                .map(|[radius, length]| Primitive::Cylinder { radius, length, vertex_count }),
            Some("sphere") => tag
                .needed("radius", radius)
                .map(|radius| Primitive::Sphere { radius, vertex_count }),
            Some("box") => lengths.map(|lengths| Primitive::Box { lengths }),
            Some("ramp") => lengths.map(|lengths| Primitive::Ramp { lengths }),
            Some(_) => lengths.map(|lengths| Primitive::SemiCylinderBump { lengths }),
            None => None,
        };
        tag.finish();
        primitive
    }
}

impl Tag<'_, '_, '_> {
    /// All of them, or an error for each that is missing.
    fn all_needed<const N: usize>(
        &mut self,
        names: [&str; N],
        values: [Option<f64>; N],
    ) -> Option<[f64; N]> {
        for (name, value) in names.into_iter().zip(values) {
            self.needed(name, value);
        }
        let values: Vec<f64> = values.into_iter().flatten().collect();
        values.try_into().ok()
    }
}
