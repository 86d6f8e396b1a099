//! Blocks: obstacles with an outline.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use simhost_scene::{Primitive, Section};

use crate::description::{Animation, Block, BlockTop, Pose, Publish, Visual};
use crate::reader::Reader;
use crate::tag::Tag;
use crate::visuals::Shape;
use crate::vocabulary::block::BLOCK;
use crate::xml::{Element, Text};

/// What one place says of a block.
#[derive(Debug, Default)]
pub(crate) struct BlockPart {
    pose: Option<Pose>,
    /// Given, right or wrong.
    has_pose: bool,
    velocity: Option<[f64; 3]>,
    skip_elevation_adjust: bool,
    scalars: Scalars,
    polygon: Option<Vec<[f64; 2]>>,
    from_visual: bool,
    geometry: Option<Primitive>,
    visuals: Vec<Visual>,
    animation: Option<Arc<Animation>>,
    publish: Option<Arc<Publish>>,
    /// Outline and heights of the visuals, once they are known.
    shaped: OnceCell<Section>,
}

/// What the class wins in the compat profile.
#[derive(Clone, Copy, Debug, Default)]
struct Scalars {
    mass: Option<f64>,
    z_min: Option<f64>,
    z_max: Option<f64>,
    ground_friction: Option<f64>,
    lateral_friction: Option<f64>,
    restitution: Option<f64>,
    linear_damping: Option<f64>,
    angular_damping: Option<f64>,
    visual_scale: Option<f64>,
    is_static: Option<bool>,
    intangible: Option<bool>,
    color: Option<[u8; 4]>,
}

impl Scalars {
    fn read(tag: &mut Tag<'_, '_, '_>) -> Self {
        Self {
            mass: tag.given_number("mass"),
            z_min: tag.given_number("zmin"),
            z_max: tag.given_number("zmax"),
            ground_friction: tag.given_number("ground_friction"),
            lateral_friction: tag.given_number("lateral_friction"),
            restitution: tag.given_number("restitution"),
            linear_damping: tag.given_number("linear_damping"),
            angular_damping: tag.given_number("angular_damping"),
            visual_scale: tag.given_number("visual_scale"),
            is_static: tag.given_flag("static"),
            intangible: tag.given_flag("intangible"),
            color: tag.given_color("color"),
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            mass: self.mass.or(other.mass),
            z_min: self.z_min.or(other.z_min),
            z_max: self.z_max.or(other.z_max),
            ground_friction: self.ground_friction.or(other.ground_friction),
            lateral_friction: self.lateral_friction.or(other.lateral_friction),
            restitution: self.restitution.or(other.restitution),
            linear_damping: self.linear_damping.or(other.linear_damping),
            angular_damping: self.angular_damping.or(other.angular_damping),
            visual_scale: self.visual_scale.or(other.visual_scale),
            is_static: self.is_static.or(other.is_static),
            intangible: self.intangible.or(other.intangible),
            color: self.color.or(other.color),
        }
    }
}

impl Reader<'_> {
    pub(crate) fn block(&mut self, element: &Element) {
        let automatic = format!("block{:03}", self.world.blocks.len() + 1);
        let given = element.attribute("name").and_then(|text| self.value(text));
        let name = given.map_or(automatic, |name| name.to_string());
        let class = match element.attribute("class") {
            Some(text) => self.block_class(text),
            None => Some(Rc::default()),
        };
        let own = self.block_part(element, &BLOCK);
        if let Some(class) = class {
            let block = self.composed_block(element, name, own, &class);
            self.world.blocks.extend(block);
        }
    }

    fn block_class(&mut self, text: &Text) -> Option<Rc<BlockPart>> {
        let name = self.value(text)?;
        match self.block_classes.get(name.as_str()).cloned() {
            Some(part) => Some(part),
            None => {
                let known: Vec<String> = self.block_classes.keys().cloned().collect();
                self.unknown_layer(text, &name, &known, "block:class");
                None
            }
        }
    }

    /// What the children of an element say.
    pub(crate) fn block_part(
        &mut self,
        element: &Element,
        section: &'static crate::vocabulary::Section,
    ) -> BlockPart {
        let mut tag = Tag::new(self, element, section);
        tag.head();
        let mut part = BlockPart {
            pose: tag.pose(),
            has_pose: tag.has_pose(),
            velocity: tag.velocity(),
            skip_elevation_adjust: tag.is_given("skip_elevation_adjust"),
            scalars: Scalars::read(&mut tag),
            from_visual: tag.is_given("shape_from_visual"),
            animation: tag.animation(),
            publish: tag.publish(),
            ..BlockPart::default()
        };
        let (shape, geometry) = (tag.child("shape"), tag.child("geometry"));
        let visuals = tag.children(&["visual"]);
        tag.finish();
        part.polygon = shape.and_then(|shape| self.outline(shape));
        part.geometry = geometry.and_then(|geometry| self.geometry(geometry));
        part.visuals = self.visuals(&visuals);
        part
    }

    fn composed_block(
        &mut self,
        element: &Element,
        name: String,
        own: BlockPart,
        class: &BlockPart,
    ) -> Option<Block> {
        let scalars = match self.profile().class_overrides_block {
            true => class.scalars.or(own.scalars),
            false => own.scalars.or(class.scalars),
        };
        let pose = own.pose.or(class.pose);
        if !own.has_pose && !class.has_pose {
            self.without_pose(element, &name);
        }
        let geometry = own.geometry.or(class.geometry);
        let section = self.block_section(element, &own, class, &scalars, geometry)?;
        self.heights(element, section.z_min, section.z_max);
        let visuals: Arc<[Visual]> = own.visuals.iter().chain(&class.visuals).cloned().collect();
        Some(Block {
            name,
            span: element.name_span,
            pose: pose?,
            velocity: own.velocity.or(class.velocity).unwrap_or_default(),
            skip_elevation_adjust: own.skip_elevation_adjust || class.skip_elevation_adjust,
            polygon: section.polygon,
            z_min: section.z_min,
            z_max: section.z_max,
            top: geometry.map_or(BlockTop::Flat, top_of),
            mass: scalars.mass.unwrap_or(30.0),
            is_static: scalars.is_static.unwrap_or(false),
            intangible: scalars.intangible.unwrap_or(false),
            ground_friction: scalars.ground_friction.unwrap_or(0.5),
            lateral_friction: scalars.lateral_friction.unwrap_or(0.5),
            restitution: scalars.restitution.unwrap_or(0.01),
            linear_damping: scalars.linear_damping,
            angular_damping: scalars.angular_damping,
            animation: own.animation.or_else(|| class.animation.clone()),
            visuals,
            color: scalars.color.unwrap_or([0, 0, 255, 255]),
            publish: own.publish.or_else(|| class.publish.clone()),
        })
    }

    /// Outline and heights.
    fn block_section(
        &mut self,
        element: &Element,
        own: &BlockPart,
        class: &BlockPart,
        scalars: &Scalars,
        geometry: Option<Primitive>,
    ) -> Option<Section> {
        let given = || own.polygon.clone().or_else(|| class.polygon.clone());
        let (z_min, z_max) = (scalars.z_min, scalars.z_max);
        let plain =
            |polygon| Section { polygon, z_min: z_min.unwrap_or(0.0), z_max: z_max.unwrap_or(1.0) };
        if !own.from_visual && !class.from_visual {
            return Some(plain(given().unwrap_or_else(unit_square)));
        }
        if let Some(geometry) = geometry {
            let [lowest, highest] = geometry.z_range();
            let (z_min, z_max) = (z_min.unwrap_or(lowest), z_max.unwrap_or(highest));
            return Some(Section { polygon: geometry.outline(), z_min, z_max });
        }
        // what the class alone decides is found once
        let shared = own.visuals.is_empty() && scalars_agree(&own.scalars);
        if let Some(section) = class.shaped.get().filter(|_| shared) {
            return Some(section.clone());
        }
        let visuals: Vec<_> = own.visuals.iter().chain(&class.visuals).cloned().collect();
        if visuals.is_empty() {
            let help = "help: write <visual> with a <model_uri>, or <geometry>".to_owned();
            let message = "a shape from visuals needs a visual";
            self.error(element.name_span, message, "there is none", vec![help]);
            return None;
        }
        let window = [z_min.unwrap_or(f64::NEG_INFINITY), z_max.unwrap_or(f64::INFINITY)];
        let section = match self.section_of(&visuals, scalars.visual_scale, window) {
            Shape::Known(section) => section,
            Shape::Missing => {
                let shape = given();
                let outline =
                    if shape.is_some() { "its <shape>" } else { "a square of 1 m" }.to_owned();
                let section = plain(shape.unwrap_or_else(unit_square));
                self.placeholder(element, &outline, [section.z_min, section.z_max]);
                return Some(section);
            }
            Shape::Nothing => {
                self.no_section(element);
                return None;
            }
            Shape::Reported => return None,
        };
        Some(if shared { class.shaped.get_or_init(|| section).clone() } else { section })
    }
}

/// Whether an instance leaves to its class all that its outline depends on.
fn scalars_agree(own: &Scalars) -> bool {
    own.z_min.is_none() && own.z_max.is_none() && own.visual_scale.is_none()
}

fn top_of(geometry: Primitive) -> BlockTop {
    match geometry {
        Primitive::Ramp { lengths: [length, _, height] } => BlockTop::Ramp { length, height },
        Primitive::SemiCylinderBump { lengths: [_, width, height] } => {
            BlockTop::Bump { width, height }
        }
        _ => BlockTop::Flat,
    }
}

/// The outline where none is given, m.
fn unit_square() -> Vec<[f64; 2]> {
    vec![[-0.5, -0.5], [-0.5, 0.5], [0.5, 0.5], [0.5, -0.5]]
}
