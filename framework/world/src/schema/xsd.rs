//! The XML Schema for editors.
//!
//! Elements without a namespace are in the main file. `vehicle:class`, `block:class` and
//! `actor:class` have separate namespaces, so each needs a separate file, which uses the types of
//! the main file.

use std::collections::BTreeMap;
use std::fmt::Write;

use quick_xml::escape::{escape, minimal_escape};

use super::{Document, EntryPage, SectionPage};

const MAIN: &str = "simhost.xsd";
const PREFIXES: [&str; 3] = ["vehicle", "block", "actor"];
/// Elements that can contain whatever their parent can contain.
const FLOW: [&str; 2] = ["for", "if"];

pub(super) fn files(document: &Document) -> Vec<(String, String)> {
    let mut files = vec![(MAIN.to_owned(), main(document))];
    files.extend(PREFIXES.map(|prefix| (format!("{prefix}.xsd"), prefixed(prefix))));
    files
}

fn namespace(prefix: &str) -> String {
    format!("urn:simhost:{prefix}")
}

fn prefixed(prefix: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" targetNamespace=\"{}\">\n\
         \x20 <xs:import schemaLocation=\"{MAIN}\"/>\n\
         \x20 <xs:element name=\"class\" type=\"{prefix}_class\"/>\n</xs:schema>\n",
        namespace(prefix)
    )
}

fn main(document: &Document) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\"",
    );
    for prefix in PREFIXES {
        let _ = write!(text, " xmlns:{prefix}=\"{}\"", namespace(prefix));
    }
    text.push_str(">\n");
    for prefix in PREFIXES {
        let uri = namespace(prefix);
        let _ =
            writeln!(text, "  <xs:import namespace=\"{uri}\" schemaLocation=\"{prefix}.xsd\"/>");
    }
    text.push_str(TYPES);
    let root = &document.sections[0];
    let _ = writeln!(text, "  <xs:element name=\"{0}\" type=\"{0}\"/>", root.id);
    for prefix in PREFIXES {
        let _ = writeln!(text, "  <xs:element name=\"{prefix}\" type=\"{prefix}\"/>");
    }
    let classes: Vec<&SectionPage> = document
        .sections
        .iter()
        .filter(|section| section.tag.starts_with("element class="))
        .collect();
    let mut groups = Groups::default();
    for section in &document.sections {
        if FLOW.contains(&section.tag) || section.tag.starts_with("element class=") {
            continue;
        }
        let mut entries = entries(document, section);
        let parameters = entries.take_parameters(section);
        let group = groups.name(&mut text, section, &parameters);
        complex_type(&mut text, &section.id, section, &entries, group.as_deref());
    }
    let mut union = Entries::new();
    classes.iter().for_each(|section| union.add(&section.entries));
    if let Some(first) = classes.first() {
        complex_type(&mut text, "element", first, &union, None);
    }
    text.push_str("</xs:schema>\n");
    text
}

/// The entries of a section and of its models, each name once per form.
struct Entries {
    attributes: BTreeMap<&'static str, EntryPage>,
    tags: BTreeMap<&'static str, EntryPage>,
    wheels: Vec<&'static str>,
}

impl Entries {
    fn new() -> Self {
        Self { attributes: BTreeMap::new(), tags: BTreeMap::new(), wheels: Vec::new() }
    }

    fn is_empty(&self) -> bool {
        self.attributes.is_empty() && self.tags.is_empty() && self.wheels.is_empty()
    }

    /// Removes what a section does not list itself, the parameters of its models, and returns it.
    fn take_parameters(&mut self, section: &SectionPage) -> Self {
        let parameter = |name: &str| {
            let named = |entry: &EntryPage| entry.name == name || entry.aliases.contains(&name);
            section.model.is_some() && !section.entries.iter().any(named)
        };
        let take = |all: &mut BTreeMap<&'static str, EntryPage>| {
            all.extract_if(.., |name, _| parameter(name)).collect()
        };
        Self {
            attributes: take(&mut self.attributes),
            tags: take(&mut self.tags),
            wheels: std::mem::take(&mut self.wheels),
        }
    }

    /// Adds entries. A name with different meanings can have any content.
    fn add(&mut self, entries: &[EntryPage]) {
        for entry in entries {
            for name in std::iter::once(&entry.name).chain(&entry.aliases) {
                if entry.form != "tag" {
                    merge(&mut self.attributes, name, entry);
                }
                if entry.form != "attribute" {
                    merge(&mut self.tags, name, entry);
                }
            }
        }
    }
}

/// Named groups with the parameters of models, which every section that takes these models refers to.
#[derive(Default)]
struct Groups {
    written: Vec<Group>,
}

/// The parameters of the models of a kind.
struct Group {
    name: String,
    /// Definitions of the elements.
    tags: String,
    /// Definitions of the attributes.
    attributes: String,
}

impl Groups {
    /// Returns the name of the group with these parameters, and writes it unless an earlier section has
    /// the same.
    fn name(
        &mut self,
        text: &mut String,
        section: &SectionPage,
        parameters: &Entries,
    ) -> Option<String> {
        let kind = section.model.filter(|_| !parameters.is_empty())?;
        let (mut tags, mut attributes) = (String::new(), String::new());
        parameters.tags.iter().for_each(|(name, entry)| element(&mut tags, name, entry, ""));
        for wheel in &parameters.wheels {
            let _ = writeln!(tags, "      <xs:element name=\"{wheel}\" type=\"wheel\"/>");
        }
        for (name, entry) in &parameters.attributes {
            attribute(&mut attributes, name, entry);
        }
        let same = |group: &&Group| group.tags == tags && group.attributes == attributes;
        if let Some(group) = self.written.iter().find(same) {
            return Some(group.name.clone());
        }
        let others = self.written.iter().filter(|group| group.name.starts_with(kind)).count();
        let number = if others == 0 { String::new() } else { format!("_{}", others + 1) };
        let name = format!("{kind}_parameters{number}");
        let _ = write!(
            text,
            "  <xs:group name=\"{name}\">\n    <xs:choice>\n{tags}    </xs:choice>\n  </xs:group>\n\
             \x20 <xs:attributeGroup name=\"{name}\">\n{attributes}  </xs:attributeGroup>\n"
        );
        self.written.push(Group { name: name.clone(), tags, attributes });
        Some(name)
    }
}

fn merge(into: &mut BTreeMap<&'static str, EntryPage>, name: &'static str, entry: &EntryPage) {
    match into.get_mut(name) {
        None => {
            into.insert(name, entry.clone());
        }
        Some(known) => {
            known.required = false;
            if (known.kind, &known.values, &known.sections)
                != (entry.kind, &entry.values, &entry.sections)
            {
                known.kind = "any";
                known.parts.clear();
            }
        }
    }
}

fn entries(document: &Document, section: &SectionPage) -> Entries {
    let mut all = Entries::new();
    all.add(&section.entries);
    for model in document.models.iter().filter(|model| Some(model.kind) == section.model) {
        let own =
            |entry: &&EntryPage| !section.entries.iter().any(|known| known.name == entry.name);
        let entries: Vec<_> = model.entries.iter().filter(own).cloned().collect();
        all.add(&entries);
        all.wheels.extend(&model.wheels);
    }
    // a parameter that one model requires is unknown to another
    if section.model.is_some() {
        let parameter = |name: &str| !section.entries.iter().any(|known| known.name == name);
        for (name, entry) in &mut all.attributes {
            entry.required &= !parameter(name);
        }
    }
    all.wheels.sort_unstable();
    all.wheels.dedup();
    all
}

/// Writes the type of a section, and a group with its elements. `parameters` is the name of the groups
/// with the parameters of its models.
fn complex_type(
    text: &mut String,
    id: &str,
    section: &SectionPage,
    entries: &Entries,
    parameters: Option<&str>,
) {
    let has_tags = !entries.tags.is_empty() || parameters.is_some();
    if has_tags {
        let _ = writeln!(text, "  <xs:group name=\"{id}\">\n    <xs:choice>");
        for (name, entry) in &entries.tags {
            element(text, name, entry, id);
        }
        language(text, entries, id);
        if let Some(name) = parameters {
            let _ = writeln!(text, "      <xs:group ref=\"{name}\"/>");
        }
        text.push_str("    </xs:choice>\n  </xs:group>\n");
    }
    let mixed = if section.has_text { " mixed=\"true\"" } else { "" };
    let _ = writeln!(text, "  <xs:complexType name=\"{id}\"{mixed}>");
    documentation(text, section.doc);
    if has_tags {
        let _ = writeln!(text, "    {}", many(id));
    }
    for (name, entry) in &entries.attributes {
        attribute(text, name, entry);
    }
    if let Some(name) = parameters {
        let _ = writeln!(text, "    <xs:attributeGroup ref=\"{name}\"/>");
    }
    if id == "include" {
        text.push_str("    <xs:anyAttribute processContents=\"skip\"/>\n");
    }
    text.push_str("  </xs:complexType>\n");
}

fn many(group: &str) -> String {
    format!("<xs:group ref=\"{group}\" minOccurs=\"0\" maxOccurs=\"unbounded\"/>")
}

/// Writes the elements of the language that the section does not list itself.
fn language(text: &mut String, entries: &Entries, group: &str) {
    for name in FLOW.iter().filter(|name| !entries.tags.contains_key(*name)) {
        flow(text, name, group);
    }
    for name in ["include", "variable"].iter().filter(|name| !entries.tags.contains_key(*name)) {
        let _ = writeln!(text, "      <xs:element name=\"{name}\" type=\"{name}\"/>");
    }
}

/// Writes an element that can contain whatever its parent can contain.
fn flow(text: &mut String, name: &str, group: &str) {
    let _ = writeln!(text, "      <xs:element name=\"{name}\"><xs:complexType>{}", many(group));
    let names: &[&str] = if name == "for" { &["var", "from", "to"] } else { &["condition"] };
    for name in names {
        let _ = writeln!(
            text,
            "        <xs:attribute name=\"{name}\" type=\"xs:string\" use=\"required\"/>"
        );
    }
    text.push_str("      </xs:complexType></xs:element>\n");
}

fn element(text: &mut String, name: &str, entry: &EntryPage, group: &str) {
    if let Some((prefix, _)) = name.split_once(':') {
        let _ = writeln!(text, "      <xs:element ref=\"{prefix}:class\"/>");
        return;
    }
    if FLOW.contains(&name) {
        return flow(text, name, group);
    }
    let (ty, inline) = type_of(entry);
    match inline {
        None => {
            let _ = writeln!(text, "      <xs:element name=\"{name}\" type=\"{ty}\">");
            documentation(text, entry.doc);
        }
        Some(inline) => {
            let _ = writeln!(text, "      <xs:element name=\"{name}\">");
            documentation(text, entry.doc);
            text.push_str(&inline);
        }
    }
    text.push_str("      </xs:element>\n");
}

fn attribute(text: &mut String, name: &str, entry: &EntryPage) {
    let use_ = if entry.required { " use=\"required\"" } else { "" };
    let (ty, inline) = type_of(entry);
    match inline {
        None => {
            let ty = if ty == "any" { "xs:string" } else { ty.as_str() };
            let _ = writeln!(text, "    <xs:attribute name=\"{name}\" type=\"{ty}\"{use_}>");
        }
        Some(_) if entry.kind == "group" => return,
        Some(_) => {
            let _ = writeln!(text, "    <xs:attribute name=\"{name}\"{use_}>");
        }
    }
    documentation(text, entry.doc);
    text.push_str(&inline.unwrap_or_default());
    text.push_str("    </xs:attribute>\n");
}

/// Returns the name of a type, or the definition of an anonymous type.
fn type_of(entry: &EntryPage) -> (String, Option<String>) {
    let named = |name: &str| (name.to_owned(), None);
    match entry.kind {
        "number" | "angle" => named("number"),
        "integer" => named("integer"),
        "boolean" => named("boolean"),
        "color" => named("color"),
        "row" => (String::new(), Some(row(&entry.values))),
        "choice" => (String::new(), Some(choice(&entry.values))),
        "group" => (String::new(), Some(parts(&entry.parts))),
        "tag" => match entry.sections.as_slice() {
            [section] => named(section),
            _ => named("element"),
        },
        "any" | "presence" => named("any"),
        _ => named("xs:string"),
    }
}

fn row(layouts: &[&str]) -> String {
    let counts = || layouts.iter().map(|layout| layout.split_whitespace().count());
    let (min, max) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    format!(
        "        <xs:simpleType><xs:union memberTypes=\"expression\"><xs:simpleType><xs:restriction base=\"numbers\">\
         <xs:minLength value=\"{min}\"/><xs:maxLength value=\"{max}\"/>\
         </xs:restriction></xs:simpleType></xs:union></xs:simpleType>\n"
    )
}

fn choice(words: &[&str]) -> String {
    let words: String =
        words.iter().map(|word| format!("<xs:enumeration value=\"{}\"/>", escape(*word))).collect();
    format!(
        "        <xs:simpleType><xs:union memberTypes=\"expression\"><xs:simpleType>\
         <xs:restriction base=\"xs:token\">{words}</xs:restriction></xs:simpleType></xs:union></xs:simpleType>\n"
    )
}

fn parts(parts: &[EntryPage]) -> String {
    let mut text = String::from(
        "        <xs:complexType><xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n",
    );
    parts.iter().for_each(|part| element(&mut text, part.name, part, ""));
    text.push_str("        </xs:choice>\n");
    for part in parts {
        attribute(&mut text, part.name, &EntryPage { required: false, ..part.clone() });
    }
    text.push_str("        </xs:complexType>\n");
    text
}

fn documentation(text: &mut String, doc: &str) {
    let doc = minimal_escape(doc).replace('"', "&quot;");
    let _ = writeln!(
        text,
        "        <xs:annotation><xs:documentation>{doc}</xs:documentation></xs:annotation>"
    );
}

/// Types of values. Any value can also be an expression, which is recognised by its `$`.
const TYPES: &str = r##"  <xs:simpleType name="expression">
    <xs:restriction base="xs:string"><xs:pattern value="[\s\S]*[$][\s\S]*"/></xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="hexadecimal">
    <xs:restriction base="xs:token"><xs:pattern value="0[xX][0-9a-fA-F]+"/></xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="number">
    <xs:union memberTypes="xs:double hexadecimal expression"/>
  </xs:simpleType>
  <xs:simpleType name="numbers">
    <xs:list itemType="xs:double"/>
  </xs:simpleType>
  <xs:simpleType name="integer">
    <xs:union memberTypes="xs:integer hexadecimal expression"/>
  </xs:simpleType>
  <xs:simpleType name="boolean">
    <xs:union memberTypes="expression">
      <xs:simpleType>
        <xs:restriction base="xs:token">
          <xs:pattern value="[tT][rR][uU][eE]|[fF][aA][lL][sS][eE]|1|0"/>
        </xs:restriction>
      </xs:simpleType>
    </xs:union>
  </xs:simpleType>
  <xs:simpleType name="color">
    <xs:union memberTypes="expression">
      <xs:simpleType>
        <xs:restriction base="xs:token">
          <xs:pattern value="#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?"/>
        </xs:restriction>
      </xs:simpleType>
    </xs:union>
  </xs:simpleType>
  <xs:complexType name="any" mixed="true">
    <xs:sequence><xs:any processContents="skip" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
    <xs:anyAttribute processContents="skip"/>
  </xs:complexType>
"##;
