//! Blocks: obstacles with an outline.

use std::rc::Rc;
use std::sync::Arc;

use crate::description::{Block, BlockTop};
use crate::fields::Fields;
use crate::numbers::Quantity;
use crate::reader::{Reader, did_you_mean};
use crate::vehicles::Composition;
use crate::xml::{Element, Text};

const TAGS: &[&str] = &[
    "mass",
    "zmin",
    "zmax",
    "ground_friction",
    "lateral_friction",
    "restitution",
    "linear_damping",
    "angular_damping",
    "static",
    "intangible",
    "visual_scale",
    "shape",
    "init_pose",
    "init_pose3d",
    "init_vel",
    "show_collisions",
];

impl Reader<'_> {
    pub(crate) fn block(&mut self, element: &Element) {
        let mut fields = Fields::attributes_of(element);
        let (name, class) = (fields.attribute("name"), fields.attribute("class"));
        self.finish(fields);
        let automatic = format!("block{:03}", self.world.blocks.len() + 1);
        let name = name.and_then(|text| self.value(text)).unwrap_or(automatic);
        if let Some(parts) = self.block_parts(element, class) {
            self.known_tags(&parts, TAGS, "block");
            let block = self.composed_block(element, name, &parts);
            self.world.blocks.extend(block);
        }
    }

    fn block_parts(&mut self, element: &Element, class: Option<&Text>) -> Option<Composition> {
        let mut parts = vec![Rc::new(element.children.clone())];
        if let Some(text) = class {
            let name = self.value(text)?;
            let known = &self.block_classes;
            let found = known.get(&name).map(Rc::clone);
            let hint = did_you_mean(&name, known.keys().map(String::as_str));
            parts.push(self.known_class(text, &name, found, &hint, "block:class")?);
        }
        Some(Composition::new(parts))
    }

    fn composed_block(
        &mut self,
        element: &Element,
        name: String,
        parts: &Composition,
    ) -> Option<Block> {
        let (flat, full) = (parts.first("init_pose"), parts.first("init_pose3d"));
        if flat.is_none() && full.is_none() {
            let message = format!("block `{name}` has no pose");
            let help = "help: write <init_pose>X Y YAW_DEG</init_pose>".to_owned();
            self.error(element.name_span, message, "", vec![help]);
        }
        let pose = self.pose(flat, full);
        let velocity = self.velocity(parts.first("init_vel"));
        let mut number = |quantity| self.scalar(parts, &quantity);
        let mass = number(Quantity::positive("mass", "kg")).unwrap_or(30.0);
        let z_min = number(Quantity::any("zmin", "m")).unwrap_or(0.0);
        let z_max = number(Quantity::any("zmax", "m")).unwrap_or(1.0);
        let ground_friction = number(Quantity::not_negative("ground_friction", "1"));
        let lateral_friction = number(Quantity::not_negative("lateral_friction", "1"));
        let restitution =
            number(Quantity { max: 1.0, ..Quantity::not_negative("restitution", "1") });
        let linear_damping = number(Quantity::not_negative("linear_damping", "1/s"));
        let angular_damping = number(Quantity::not_negative("angular_damping", "1/s"));
        let is_static = self.flag(parts, "static");
        let intangible = self.flag(parts, "intangible");
        let polygon = parts.first("shape").and_then(|shape| self.outline(shape));
        self.heights(element, z_min, z_max);
        Some(Block {
            name,
            span: element.name_span,
            pose: pose?,
            velocity,
            skip_elevation_adjust: false,
            polygon: polygon.unwrap_or_else(unit_square),
            z_min,
            z_max,
            top: BlockTop::Flat,
            mass,
            is_static,
            intangible,
            ground_friction: ground_friction.unwrap_or(0.5),
            lateral_friction: lateral_friction.unwrap_or(0.5),
            restitution: restitution.unwrap_or(0.01),
            linear_damping,
            angular_damping,
            animation: None,
            visuals: Arc::default(),
            color: [0, 0, 255, 255],
            publish: None,
        })
    }

    /// The tag that holds for a scalar: the instance's, in the compat profile the class's.
    fn holding<'e>(&self, parts: &'e Composition, name: &str) -> Option<&'e Element> {
        match self.profile().class_overrides_block {
            true => parts.every(name).last(),
            false => parts.first(name),
        }
    }

    fn scalar(&mut self, parts: &Composition, quantity: &Quantity<'_>) -> Option<f64> {
        let element = self.holding(parts, quantity.name)?;
        let text = self.leaf(element)?;
        self.number(text, quantity)
    }

    fn flag(&mut self, parts: &Composition, name: &str) -> bool {
        let text = self.holding(parts, name).and_then(|element| self.leaf(element));
        text.and_then(|text| self.boolean(text, name)).unwrap_or(false)
    }
}

/// The outline where none is given, m.
fn unit_square() -> Vec<[f64; 2]> {
    vec![[-0.5, -0.5], [-0.5, 0.5], [0.5, 0.5], [0.5, -0.5]]
}
