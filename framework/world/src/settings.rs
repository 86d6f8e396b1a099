//! The top level of a world.

use crate::description::{FaultAction, Integrator};
use crate::diagnostics::Severity;
use crate::reader::Reader;
use crate::tag::Tag;
use crate::vocabulary::world::{FAULTS, WORLD};
use crate::vocabulary::{Effect, Entry, Value};
use crate::xml::{Element, Text};

impl Reader<'_> {
    pub(crate) fn read_root(&mut self, root: &Element) {
        let attributes = Element { attributes: root.attributes.clone(), ..root.without_content() };
        let mut tag = Tag::new(self, &attributes, &WORLD);
        let version = tag.text_of("version");
        tag.take("compat");
        tag.take("flat");
        tag.finish_attributes();
        if let Some(version) = version {
            self.version(version);
        }
        self.top_level(&root.children);
        self.bind_names();
    }

    fn version(&mut self, text: &Text) {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let well_formed = |(major, minor): (&str, &str)| digits(major) && digits(minor);
        let Some(value) = self.value(text) else { return };
        if !value.split_once('.').is_some_and(well_formed) {
            let message = format!("`{value}` is not a version");
            self.error(text.span, message, "expected MAJOR.MINOR, such as 1.0", Vec::new());
        }
    }

    /// Tags of the root, or of a file included there, in order.
    pub(crate) fn top_level(&mut self, elements: &[Element]) {
        for element in elements {
            if self.report.is_full() {
                return;
            }
            self.report.next_round();
            let mut entries = WORLD.entries.iter();
            match entries.find(|entry| entry.is_child() && entry.name == element.name) {
                Some(entry) => self.top_level_tag(entry, element),
                None => {
                    let message = format!("unknown tag `<{}>` in a world", element.name);
                    if self.report.has_said(element.name_span, &message) {
                        continue;
                    }
                    let children = WORLD.entries.iter().filter(|entry| entry.is_child());
                    let label = self.hint(&element.name, children.map(|entry| entry.name));
                    let help = "help: `simhost schema --markdown` lists what may stand where";
                    let notes = vec![help.to_owned()];
                    self.say(self.strictness(), element.name_span, message, label, notes);
                }
            }
        }
    }

    fn top_level_tag(&mut self, entry: &'static Entry, element: &Element) {
        let is_section = matches!(entry.name, "gui" | "lights" | "georeference");
        let is_setting =
            !matches!(entry.value, Value::Tag(_) | Value::Classes(_) | Value::Presence);
        let together;
        let element = match is_section || is_setting || entry.name == "plugin_faults" {
            true => {
                together = self.given_again(entry.name, element, is_section);
                &together
            }
            false => element,
        };
        match entry.name {
            "duration" => {
                let value = self.setting(entry, element);
                self.world.settings.duration = value.or(self.world.settings.duration);
            }
            "random_seed" => self.seed(element),
            "simul_timestep" => {
                let value = self.setting(entry, element);
                self.world.settings.timestep = value.or(self.world.settings.timestep);
            }
            "gravity" => {
                let value = self.setting(entry, element);
                self.world.settings.gravity = value.unwrap_or(self.world.settings.gravity);
            }
            "air_density" => {
                let value = self.setting(entry, element);
                self.world.settings.air_density = value.unwrap_or(1.225);
            }
            "substeps" => {
                let value = self.setting(entry, element);
                self.world.settings.substeps = value.map_or(1, |value| value as u32);
            }
            "integrator" => {
                if let Some(text) = self.leaf(element) {
                    self.check_value(entry, text);
                    let wanted = text.content.trim() == "extrapolated";
                    self.world.settings.integrator =
                        if wanted { Integrator::Extrapolated } else { Integrator::Euler };
                }
            }
            "plugin_faults" => self.plugin_faults(element),
            "vehicle" => self.vehicle(element),
            "block" => self.block(element),
            "actor" => self.actor(element),
            "vehicle:class" | "block:class" | "actor:class" => self.class_definition(element),
            "element" => self.element(element),
            "sensor" => self.standalone_sensor(element),
            "walls" => self.walls(element),
            "joint" => self.joint(element),
            "gui" => self.gui(element),
            "lights" => self.lights(element),
            "georeference" => self.georeference(element),
            "marker" => self.marker(element),
            // gone before the tree is read
            "include" | "variable" | "for" | "if" => {}
            _ => self.idle_setting(entry, element),
        }
    }

    /// A tag together with what an earlier one of its name gave: as in the peer, a value that is given
    /// again is replaced, and a value that is not stays as it is.
    fn given_again(&mut self, name: &'static str, element: &Element, merges: bool) -> Element {
        let mut together = element.clone();
        if let Some(earlier) = self.given_once.remove(name) {
            let (message, label) = match merges {
                true => (format!("a second `<{name}>`"), "what it gives replaces the first's"),
                false => ("given more than once".to_owned(), "this one holds"),
            };
            self.warning(element.name_span, message, label);
            let again = |child: &Element| element.children.iter().any(|new| new.name == child.name);
            let kept = earlier.children.into_iter().filter(|child| !again(child));
            together.children = kept.chain(together.children).collect();
        }
        self.given_once.insert(name, together.clone());
        together
    }

    fn setting(&mut self, entry: &'static Entry, element: &Element) -> Option<f64> {
        let text = self.leaf(element)?;
        self.number_of(entry, text)
    }

    /// A setting that does nothing here.
    fn idle_setting(&mut self, entry: &'static Entry, element: &Element) {
        // an empty text switches it off
        if matches!(entry.value, Value::Text) && element.text.is_none() {
            return;
        }
        if !matches!(entry.value, Value::Presence)
            && let Some(text) = self.leaf(element)
        {
            self.check_value(entry, text);
        }
        if let Effect::Lost(reason) = entry.effect {
            let message = format!("`<{}>` has no effect here", element.name);
            let notes = vec![format!("note: {reason}")];
            self.say(Severity::Warning, element.name_span, message, "ignored", notes);
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
        let mut tag = Tag::new(self, element, &FAULTS);
        let on = tag.given_word("on");
        let action = tag.given_word("action");
        let action = tag.needed("action", action);
        tag.finish();
        let action = match action {
            Some("disable") => FaultAction::Disable,
            Some("fallback") => FaultAction::Fallback,
            Some(_) => FaultAction::Stop,
            None => return,
        };
        if action == FaultAction::Fallback && self.world.settings.fallback_friction.is_none() {
            self.world.settings.fallback_friction = self.default_friction(element);
        }
        let all = on.is_none() || on == Some("all");
        let policy = &mut self.world.settings.faults;
        for (name, place) in [
            ("panic", &mut policy.panic),
            ("non_finite", &mut policy.non_finite),
            ("step_too_large", &mut policy.step_too_large),
        ] {
            if all || on == Some(name) {
                *place = action;
            }
        }
    }
}
