//! Reading a scenario.

use std::sync::Arc;

use simhost_opendrive::Network;
use simhost_xml::{Element, Lines, ReadError, parse};

use crate::action_reader::actions_of;
use crate::condition_reader::ConditionReader;
use crate::coverage::check;
use crate::hints::one_of;
use crate::references::{Known, child, only};
use crate::scenario::{
    Act, Maneuver, ManeuverGroup, Priority, Scenario, ScenarioEntity, ScenarioEvent, StoryTrigger,
};
use crate::values::Values;

/// Largest number of bytes of a scenario.
const MOST_BYTES: usize = 16 << 20;

/// Returns the file of the road network that a scenario names.
///
/// # Errors
/// [`ReadError`] for a file that is not a scenario.
pub fn network_file(text: &str) -> Result<Option<String>, ReadError> {
    let document = parse(text, MOST_BYTES)?;
    let lines = Lines::of(text);
    let root = root(Element::root(&document, &lines))?;
    let values = Values::new(&[]).within(root)?;
    let file = root.path(&["RoadNetwork", "LogicFile"]);
    file.map(|file| values.text(file, "filepath")).transpose()
}

fn root(element: Element<'_>) -> Result<Element<'_>, ReadError> {
    if element.name() == "OpenSCENARIO" {
        return Ok(element);
    }
    let text = format!("the root is <{}>; expected <OpenSCENARIO>", element.name());
    Err(ReadError::new(element.line(), text))
}

impl Scenario {
    /// Reads a scenario on a network. `parameters` replace values of `<ParameterDeclarations>`.
    ///
    /// # Errors
    /// [`ReadError`] with its line for an element that is not supported, a missing or invalid value, an unknown entity,
    /// parameter, road or lane, and a parameter that the file does not declare.
    pub fn read(
        text: &str,
        network: Option<Network>,
        parameters: &[(String, String)],
    ) -> Result<Self, ReadError> {
        let document = parse(text, MOST_BYTES)?;
        let lines = Lines::of(text);
        let root = root(Element::root(&document, &lines))?;
        check(root)?;
        let values = Values::new(parameters).within(root)?;
        if let Some(name) = values.undeclared() {
            let text = format!("the scenario declares no parameter `{name}`");
            let help = one_of(name, values.names());
            return Err(ReadError::of_file(text).help(help));
        }
        let list = child(root, "Entities")?;
        let mut entities = Vec::new();
        for one in list.all("ScenarioObject") {
            let entity = entity(&values, one)?;
            if entities.iter().any(|other: &ScenarioEntity| other.name == entity.name) {
                let text = format!("two entities have the name `{}`", entity.name);
                return Err(ReadError::new(one.line(), text));
            }
            entities.push(entity);
        }
        let names = entities.iter().map(|entity| entity.name.clone()).collect();
        let known = Known { entities: names, network: network.as_ref() };
        let storyboard = child(root, "Storyboard")?;
        start(&values, &known, storyboard, &mut entities)?;
        let mut reader = StoryReader { known: &known, conditions: ConditionReader::default() };
        let mut acts = Vec::new();
        for story in storyboard.all("Story") {
            let values = values.within(story)?;
            for one in story.all("Act") {
                acts.push(reader.act(&values, one)?);
            }
        }
        let stop = reader.trigger(&values, storyboard, "StopTrigger")?;
        let file = root.path(&["RoadNetwork", "LogicFile"]);
        let network_file = file.map(|file| values.text(file, "filepath")).transpose()?;
        Ok(Self { network: network.map(Arc::new), network_file, entities, acts, stop })
    }
}

fn entity(values: &Values, object: Element<'_>) -> Result<ScenarioEntity, ReadError> {
    let name = values.text(object, "name")?;
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
    if !name.chars().all(is_word) {
        let text =
            format!("`name` of <ScenarioObject> is {name:?}; expected letters, digits, _, - and .");
        return Err(ReadError::new(object.line(), text));
    }
    let vehicle = child(object, "Vehicle")?;
    let values = values.within(vehicle)?;
    let bounds = child(vehicle, "BoundingBox")?;
    let (centre, size) = (child(bounds, "Center")?, child(bounds, "Dimensions")?);
    let number = |name: &str| values.number(centre, name);
    let centre = [number("x")?, number("y")?, number("z")?];
    let length = |name: &str| size.length(&values.text(size, name)?, name);
    let size = [length("length")?, length("width")?, length("height")?];
    let mut axle = [2.0 * centre[0], 0.85 * size[1], 0.3 * size[2].min(2.2)];
    if let Some(front) = vehicle.path(&["Axles", "FrontAxle"]) {
        let number = |name: &str| front.length(&values.text(front, name)?, name);
        axle = [number("positionX")?, number("trackWidth")?, number("wheelDiameter")?];
    }
    Ok(ScenarioEntity { name, line: object.line(), centre, size, axle, start: None, speed: 0.0 })
}

/// Reads the actions of the start.
fn start(
    values: &Values,
    known: &Known<'_>,
    storyboard: Element<'_>,
    entities: &mut [ScenarioEntity],
) -> Result<(), ReadError> {
    let actions = child(child(storyboard, "Init")?, "Actions")?;
    for private in actions.all("Private") {
        let entity = &mut entities[known.entity(values, private, "entityRef")?];
        for action in private.all("PrivateAction") {
            let one = only(action)?;
            match one.name() {
                "TeleportAction" => {
                    let position = child(one, "Position")?;
                    entity.start = Some(known.position(values, only(position)?)?);
                }
                "LongitudinalAction" => {
                    let target =
                        one.path(&["SpeedAction", "SpeedActionTarget", "AbsoluteTargetSpeed"]);
                    let target = target.ok_or_else(|| {
                        let text =
                            "only a <SpeedAction> with an <AbsoluteTargetSpeed> can be in <Init>";
                        ReadError::new(one.line(), text)
                    })?;
                    entity.speed = values.number(target, "value")?;
                }
                name => {
                    let text = format!("<{name}> in <Init> is not supported");
                    let help = "write it in an <Event> of the <Storyboard>";
                    return Err(ReadError::new(one.line(), text).help(help));
                }
            }
        }
    }
    Ok(())
}

/// Reads acts.
struct StoryReader<'k> {
    known: &'k Known<'k>,
    conditions: ConditionReader,
}

impl StoryReader<'_> {
    fn trigger(
        &mut self,
        values: &Values,
        element: Element<'_>,
        name: &'static str,
    ) -> Result<Option<StoryTrigger>, ReadError> {
        let trigger = element.child(name);
        trigger.map(|trigger| self.conditions.trigger(self.known, values, trigger)).transpose()
    }

    fn act(&mut self, values: &Values, act: Element<'_>) -> Result<Act, ReadError> {
        let mut groups = Vec::new();
        for group in act.all("ManeuverGroup") {
            let actors = group.child("Actors");
            let actors = actors.iter().flat_map(|actors| actors.all("EntityRef"));
            let actors = actors
                .map(|one| self.known.entity(values, one, "entityRef"))
                .collect::<Result<_, _>>()?;
            let maneuvers = group.all("Maneuver").map(|one| {
                let values = values.within(one)?;
                let events = one.all("Event").map(|event| self.event(&values, event));
                let events = events.collect::<Result<_, _>>()?;
                Ok(Maneuver { name: values.text(one, "name")?, events })
            });
            let maneuvers = maneuvers.collect::<Result<_, ReadError>>()?;
            groups.push(ManeuverGroup { name: values.text(group, "name")?, actors, maneuvers });
        }
        Ok(Act {
            name: values.text(act, "name")?,
            start: self.trigger(values, act, "StartTrigger")?,
            stop: self.trigger(values, act, "StopTrigger")?,
            groups,
        })
    }

    fn event(&mut self, values: &Values, event: Element<'_>) -> Result<ScenarioEvent, ReadError> {
        let priorities = [
            ("override", Priority::Override),
            ("overwrite", Priority::Override),
            ("skip", Priority::Skip),
            ("parallel", Priority::Parallel),
        ];
        let most = values.number_or(event, "maximumExecutionCount", 1.0)?;
        Ok(ScenarioEvent {
            line: event.line(),
            name: values.text(event, "name")?,
            priority: values.choice(event, "priority", &priorities)?,
            most: most.max(0.0) as u32,
            start: self.trigger(values, event, "StartTrigger")?,
            actions: actions_of(self.known, values, event)?,
        })
    }
}
