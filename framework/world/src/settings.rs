//! The top level of a world: one table tells what each tag is.

use std::rc::Rc;

use crate::description::FaultAction;
use crate::fields::Fields;
use crate::numbers::Quantity;
use crate::reader::{Reader, did_you_mean};
use crate::xml::{Element, Text};

/// What a top-level tag is.
#[derive(Clone, Copy)]
enum Tag {
    Duration,
    Seed,
    Timestep,
    Gravity,
    Faults,
    Vehicle,
    VehicleClass,
    Block,
    BlockClass,
    Walls,
    /// Gone before the tree is read; listed for the sake of suggestions.
    Language,
    /// A number that does nothing here; `true` where a user would expect something of it.
    Number(bool),
    Boolean,
    /// As [`Tag::Number`], with any text.
    Words(bool),
    Picture,
    NotYet,
}

const TAGS: &[(&str, Tag)] = &[
    ("duration", Tag::Duration),
    ("random_seed", Tag::Seed),
    ("simul_timestep", Tag::Timestep),
    ("gravity", Tag::Gravity),
    ("plugin_faults", Tag::Faults),
    ("vehicle", Tag::Vehicle),
    ("vehicle:class", Tag::VehicleClass),
    ("block", Tag::Block),
    ("block:class", Tag::BlockClass),
    ("walls", Tag::Walls),
    ("include", Tag::Language),
    ("variable", Tag::Language),
    ("for", Tag::Language),
    ("if", Tag::Language),
    ("collision_threshold", Tag::Number(false)),
    ("b2d_vel_iters", Tag::Number(true)),
    ("b2d_pos_iters", Tag::Number(true)),
    ("rawlog_odometry_rate", Tag::Number(false)),
    ("ground_truth_rate", Tag::Number(false)),
    ("max_slope_to_collide", Tag::Number(false)),
    ("min_slope_to_collide", Tag::Number(false)),
    ("joystick_enabled", Tag::Boolean),
    ("server_address", Tag::Words(false)),
    ("save_to_rawlog", Tag::Words(true)),
    ("save_ground_truth_trajectory", Tag::Words(true)),
    ("gui", Tag::Picture),
    ("lights", Tag::Picture),
    ("georeference", Tag::Picture),
    ("marker", Tag::Picture),
    ("visual", Tag::Picture),
    ("element", Tag::NotYet),
    ("actor", Tag::NotYet),
    ("actor:class", Tag::NotYet),
    ("joint", Tag::NotYet),
    ("sensor", Tag::NotYet),
    ("animation", Tag::NotYet),
];

impl Reader<'_> {
    pub(crate) fn read_root(&mut self, root: &Element) {
        let mut attributes = Fields::attributes_of(root);
        if let Some(version) = attributes.attribute("version") {
            self.version(version);
        }
        attributes.attribute("compat");
        self.finish(attributes);
        self.top_level(&root.children);
    }

    fn version(&mut self, text: &Text) {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let well_formed = |(major, minor): (&str, &str)| digits(major) && digits(minor);
        if !text.content.split_once('.').is_some_and(well_formed) {
            let message = format!("`{}` is not a version", text.content);
            self.error(text.span, message, "expected MAJOR.MINOR, such as 1.0", Vec::new());
        }
    }

    /// Tags of the root, or of a file included there, in order.
    pub(crate) fn top_level(&mut self, elements: &[Element]) {
        for element in elements {
            if self.report.is_full() {
                return;
            }
            match TAGS.iter().find(|(name, _)| *name == element.name) {
                Some((_, tag)) => self.top_level_tag(*tag, element),
                None => {
                    let message = format!("unknown tag `<{}>` in a world", element.name);
                    let label = did_you_mean(&element.name, TAGS.iter().map(|(name, _)| *name));
                    self.say(self.strictness(), element.name_span, message, label, Vec::new());
                }
            }
        }
    }

    fn top_level_tag(&mut self, tag: Tag, element: &Element) {
        match tag {
            Tag::Duration => {
                let value = self.setting(element, &Quantity::positive("duration", "s"));
                self.world.settings.duration = value.or(self.world.settings.duration);
            }
            Tag::Seed => self.seed(element),
            Tag::Timestep => {
                let value = self.setting(element, &Quantity::not_negative("simul_timestep", "s"));
                self.world.settings.timestep = value.or(self.world.settings.timestep);
            }
            Tag::Gravity => {
                let value = self.setting(element, &Quantity::not_negative("gravity", "m/s²"));
                self.world.settings.gravity = value.unwrap_or(self.world.settings.gravity);
            }
            Tag::Faults => self.plugin_faults(element),
            Tag::Vehicle => self.vehicle(element),
            Tag::VehicleClass => self.class_definition(element),
            Tag::Block => self.block(element),
            Tag::BlockClass => self.class_definition(element),
            Tag::Walls => self.walls(element),
            Tag::Language => {}
            Tag::Number(expected) => {
                self.setting(element, &Quantity::any(&element.name, ""));
                self.no_effect(element, expected);
            }
            Tag::Boolean => {
                if let Some(text) = self.leaf(element) {
                    self.boolean(text, &element.name);
                }
            }
            Tag::Words(expected) => {
                // empty switches it off
                if element.text.is_some() {
                    self.leaf(element);
                    self.no_effect(element, expected);
                }
            }
            Tag::Picture => {}
            Tag::NotYet => self.unsupported(element.name_span, &format!("`<{}>`", element.name)),
        }
    }

    fn setting(&mut self, element: &Element, quantity: &Quantity<'_>) -> Option<f64> {
        let text = self.leaf(element)?;
        self.number(text, quantity)
    }

    fn no_effect(&mut self, element: &Element, expected: bool) {
        if expected {
            let message = format!("`<{}>` has no effect here", element.name);
            self.warning(element.name_span, message, "ignored");
        }
    }

    fn seed(&mut self, element: &Element) {
        let Some(text) = self.leaf(element) else { return };
        let Some(value) = self.value(text) else { return };
        match value.parse() {
            Ok(seed) => self.world.settings.seed = Some(seed),
            Err(_) => {
                let message = format!("`random_seed` is not a seed: `{value}`");
                let label = "expected a whole number from 0 to 18446744073709551615";
                self.error(text.span, message, label, Vec::new());
            }
        }
    }

    fn plugin_faults(&mut self, element: &Element) {
        let mut fields = Fields::new(element);
        match fields.attribute("action") {
            Some(text) => match self.word(text, "action", &["stop", "disable"]).as_deref() {
                Some("disable") => self.world.settings.fault_action = FaultAction::Disable,
                Some(_) => self.world.settings.fault_action = FaultAction::Stop,
                None => {}
            },
            None => {
                let help = "help: write <plugin_faults action=\"stop\"/> or \"disable\"".to_owned();
                self.error(element.name_span, "no action is given", "", vec![help]);
            }
        }
        self.finish(fields);
    }

    /// Keeps the contents of a class; they are read for each vehicle or block that uses it.
    fn class_definition(&mut self, element: &Element) {
        let mut fields = Fields::attributes_of(element);
        let name = fields.attribute("name");
        self.finish(fields);
        let Some(name) = name else {
            let help = format!("help: write <{} name=\"…\">", element.name);
            self.error(element.name_span, "a class without a name", "", vec![help]);
            return;
        };
        let Some(name) = self.value(name) else { return };
        let body = Rc::new(element.children.clone());
        let classes = match element.name.as_str() {
            "vehicle:class" => &mut self.vehicle_classes,
            _ => &mut self.block_classes,
        };
        classes.insert(name, body);
    }
}
