//! Joints, and other names of bodies that have to exist.

use std::collections::{HashMap, HashSet};

use crate::description::{BodyRef, Joint, JointKind};
use crate::diagnostics::Severity;
use crate::reader::Reader;
use crate::sources::Span;
use crate::tag::Tag;
use crate::vocabulary::joint::{JOINT, PIN, ROPE};
use crate::xml::Element;

/// A joint whose bodies have not been looked up.
#[derive(Debug)]
pub(crate) struct UnboundJoint {
    kind: JointKind,
    bodies: [(String, Span); 2],
    anchors: [[f64; 2]; 2],
    span: Span,
}

impl Reader<'_> {
    pub(crate) fn joint(&mut self, element: &Element) {
        let mut tag = Tag::new(self, element, &JOINT);
        let word = tag.given_word("type");
        let word = tag.needed("type", word);
        let bodies = ["body_a", "body_b"].map(|name| {
            let text = tag.text_of(name);
            let text = tag.needed(name, text)?;
            Some((tag.reader.value(text)?.to_string(), text.span))
        });
        let anchors = ["anchor_a", "anchor_b"].map(|name| tag.row::<2>(name));
        let (rope, pin) = (tag.rope(), tag.pin());
        tag.finish();
        let is_rope = matches!(word, Some("rope" | "distance"));
        self.other_joint(element, if is_rope { PIN } else { ROPE });
        let [Some(first), Some(second)] = bodies else { return };
        if word.is_some() {
            let kind = if is_rope { rope } else { pin };
            let bodies = [first, second];
            self.joints.push(UnboundJoint { kind, bodies, anchors, span: element.name_span });
        }
    }

    /// What the other type of joint reads.
    fn other_joint(&mut self, element: &Element, names: &[&str]) {
        for attribute in &element.attributes {
            if names.contains(&attribute.name.as_str()) {
                let message = format!("`{}` has no effect on this type of joint", attribute.name);
                self.warning(attribute.name_span, message, "this attribute is not read");
            }
        }
    }

    /// Looks up what names refer to, when all bodies are known.
    pub(crate) fn bind_names(&mut self) {
        let joints = std::mem::take(&mut self.joints);
        let bodies = if joints.is_empty() { HashMap::new() } else { self.bodies() };
        for joint in joints {
            let [first, second] =
                joint.bodies.each_ref().map(|(name, span)| self.body(&bodies, name, *span));
            let (Some(first), Some(second)) = (first, second) else { continue };
            if first == second {
                self.error(joint.span, "a joint between a body and itself", "", Vec::new());
                continue;
            }
            let UnboundJoint { kind, anchors, span, .. } = joint;
            self.world.joints.push(Joint { kind, bodies: [first, second], anchors, span });
        }
        for (name, span) in std::mem::take(&mut self.followed) {
            if !self.vehicle_names.contains(&name) {
                let vehicles = self.world.vehicles.iter().map(|vehicle| vehicle.name.as_str());
                let label = self.hint(&name, vehicles);
                let severity = Severity::Error;
                self.say(
                    severity,
                    span,
                    format!("there is no vehicle `{name}`"),
                    label,
                    Vec::new(),
                );
            }
        }
        self.bind_objects();
        let place = self.world.scenery.georeference;
        let somewhere = place.is_some_and(|place| place.latitude != 0.0 || place.longitude != 0.0);
        if let Some(span) = self.gnss.filter(|_| !somewhere) {
            let help = "help: write <georeference> with <latitude> and <longitude>".to_owned();
            let message = "a `gnss` without a <georeference> gives nothing";
            self.say(Severity::Warning, span, message, "where on Earth is it?", vec![help]);
        }
    }

    /// Reports objects whose poses are asked for and that do not exist.
    fn bind_objects(&mut self) {
        let objects = std::mem::take(&mut self.objects);
        if objects.is_empty() {
            return;
        }
        let world = &self.world;
        let vehicles = world.vehicles.iter().map(|vehicle| vehicle.name.clone());
        let blocks = world.blocks.iter().map(|block| block.name.clone());
        let actors = world.actors.iter().map(|actor| actor.name.clone());
        let known: HashSet<String> = vehicles.chain(blocks).chain(actors).collect();
        let walls = world.walls.len();
        let mut sorted: Vec<&str> = known.iter().map(String::as_str).collect();
        sorted.sort_unstable();
        for (name, span) in objects {
            if !known.contains(&name) && wall(&name, walls).is_none() {
                let label = self.hint(&name, sorted.iter().copied());
                let help = "help: an object is a vehicle, a block, an actor or a wall".to_owned();
                let message = format!("there is no object named `{name}`");
                self.say(self.strictness(), span, message, label, vec![help]);
            }
        }
    }

    /// The first vehicle or block of each name, and whether it is intangible.
    fn bodies(&self) -> HashMap<String, (BodyRef, bool)> {
        let mut bodies = HashMap::new();
        for (index, vehicle) in self.world.vehicles.iter().enumerate() {
            bodies.entry(vehicle.name.clone()).or_insert((BodyRef::Vehicle(index), false));
        }
        for (index, block) in self.world.blocks.iter().enumerate() {
            let body = (BodyRef::Block(index), block.intangible);
            bodies.entry(block.name.clone()).or_insert(body);
        }
        bodies
    }

    /// The body of the name, else the wall.
    fn body(
        &mut self,
        bodies: &HashMap<String, (BodyRef, bool)>,
        name: &str,
        span: Span,
    ) -> Option<BodyRef> {
        let world = &self.world;
        let wall = || wall(name, world.walls.len()).map(|body| (body, false));
        match bodies.get(name).copied().or_else(wall) {
            Some((body, false)) => Some(body),
            Some((_, true)) => {
                let label = "it touches nothing, so nothing holds it";
                self.error(span, format!("block `{name}` is intangible"), label, Vec::new());
                None
            }
            None => {
                let vehicles = world.vehicles.iter().map(|vehicle| vehicle.name.as_str());
                let blocks = world.blocks.iter().map(|block| block.name.as_str());
                let label = self.hint(name, vehicles.chain(blocks));
                let help =
                    "help: a body is a vehicle, a block, or a wall (wall_0001, …)".to_owned();
                let message = format!("there is no body named `{name}`");
                self.error(span, message, label, vec![help]);
                None
            }
        }
    }
}

/// `wall_0001` is the first.
fn wall(name: &str, count: usize) -> Option<BodyRef> {
    let number: usize = name.strip_prefix("wall_")?.parse().ok()?;
    (1..=count).contains(&number).then(|| BodyRef::Wall(number - 1))
}

impl Tag<'_, '_, '_> {
    fn rope(&mut self) -> JointKind {
        let (min_length, max_length) = (self.number("min_length"), self.number("max_length"));
        if min_length > max_length {
            let message = format!("`min_length` {min_length} is above `max_length` {max_length}");
            let label = "expected min_length up to max_length";
            self.reader.error(self.element.name_span, message, label, Vec::new());
        }
        let (stiffness, damping) = (self.number("stiffness"), self.number("damping"));
        JointKind::Rope { min_length, max_length, stiffness, damping }
    }

    fn pin(&mut self) -> JointKind {
        let limited = self.flag("enable_limit");
        let limits = [self.number("lower_angle_deg"), self.number("upper_angle_deg")];
        if limited && limits[0] > limits[1] {
            let message = "`lower_angle_deg` is above `upper_angle_deg`";
            let label = "expected the lower angle first";
            self.reader.error(self.element.name_span, message, label, Vec::new());
        }
        JointKind::Pin { limits: limited.then_some(limits) }
    }
}
