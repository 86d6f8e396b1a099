//! Worlds with their changes as world files.

use compact_str::{CompactString, format_compact};

use super::tree::{UnknownEntity, WorldTree, is_entity, parts_of};
use crate::flatten;
use crate::options::LoadOptions;
use crate::tree::{Element, Origin, Text};

impl WorldTree {
    /// Returns the world with its changes as one world file for the folder of the world, as
    /// [`flatten`](crate::flatten) does but with relative paths of resources, with other initial poses of entities (x, y, m; yaw, rad) and other values of parameters. Values of models that a vehicle has from
    /// its class are not written, because other vehicles may share it: a comment at the start lists them.
    ///
    /// # Errors
    /// [`UnknownEntity`] with the nearest name if there is no entity of a name.
    pub fn saved(
        &self,
        poses: &[(String, [f64; 3])],
        parameters: &[(&str, &str)],
    ) -> Result<String, UnknownEntity> {
        let mut children: Vec<Element> = self.children().cloned().collect();
        for (entity, pose) in poses {
            let (tag, name) = parts_of(entity);
            let found = children.iter_mut().find(|element| is_entity(element, tag, name));
            place(found.ok_or_else(|| self.unknown(entity))?, *pose);
        }
        let mut left = Vec::new();
        for (name, value) in parameters {
            if set(&mut children, name, value).is_none() {
                left.push(format!("  {name} = {value}\n"));
            }
        }
        let root = Element { children, ..self.root().clone() };
        let text = flatten::movable_text(&root, self.sources(), &LoadOptions::default());
        if left.is_empty() {
            return Ok(text);
        }
        // two hyphens would end the comment
        let list = left.concat().replace("--", "- -");
        let comment = format!(
            "<!-- Values of models of classes, which the option `set` of `simhost run` repeats:\n{list}-->\n"
        );
        let (start, rest) = text.split_once('\n').unwrap_or((&text, ""));
        Ok(format!("{start}\n{comment}{rest}"))
    }
}

/// Sets the initial pose of an entity.
fn place(entity: &mut Element, [x, y, yaw]: [f64; 3]) {
    let degrees = yaw.to_degrees();
    if let Some(spatial) = entity.children.iter_mut().find(|child| child.name == "init_pose3d") {
        let old = spatial.text.as_ref().map_or("", |text| text.content.as_str());
        let mut numbers: Vec<CompactString> = old.split_whitespace().map(Into::into).collect();
        numbers.resize(6, "0".into());
        for (index, number) in [(0, x), (1, y), (3, degrees)] {
            numbers[index] = format_compact!("{number}");
        }
        write(spatial, &numbers.join(" "));
        return;
    }
    write(child(entity, "init_pose"), &format!("{x} {y} {degrees}"));
}

/// Sets a parameter of a model that a vehicle has itself. Returns `None` if it has the model from a class.
fn set(children: &mut [Element], name: &str, value: &str) -> Option<()> {
    let (owner, key) = name.rsplit_once('/')?;
    let mut parts = owner.splitn(3, '/');
    let (entity, role, part) = (parts.next()?, parts.next()?, parts.next());
    let vehicle = children.iter_mut().find(|element| is_entity(element, "vehicle", entity))?;
    let model = match (role, part) {
        ("dynamics" | "friction", None) => known(vehicle, role)?,
        ("controller", None) => known(known(vehicle, "dynamics")?, "controller")?,
        ("sensor", Some(part)) => vehicle.children.iter_mut().find(|child| {
            child.name == "sensor"
                && child.attribute("name").is_some_and(|name| name.content == part)
        })?,
        _ => return None,
    };
    match model.attributes.iter_mut().find(|attribute| attribute.name == key) {
        Some(attribute) => attribute.text.content = value.into(),
        None => write(child(model, key), value),
    }
    Some(())
}

fn known<'e>(element: &'e mut Element, name: &str) -> Option<&'e mut Element> {
    element.children.iter_mut().find(|child| child.name == name)
}

/// Returns the child with a name, which is added if there is none.
fn child<'e>(element: &'e mut Element, name: &str) -> &'e mut Element {
    let at = element.children.iter().position(|child| child.name == name);
    let at = at.unwrap_or_else(|| {
        element.children.push(Element {
            name: name.into(),
            name_span: element.name_span,
            attributes: Vec::new(),
            text: None,
            children: Vec::new(),
            weight: element.weight,
            dynamic: false,
        });
        element.children.len() - 1
    });
    &mut element.children[at]
}

/// Replaces the content of an element by a text.
fn write(element: &mut Element, text: &str) {
    let span = element.name_span;
    element.children.clear();
    element.text = Some(Text { content: text.into(), span, origin: Origin::Written });
}
