//! `terminalsAndIcons.xml` of FMI 3.0: one terminal per command and one per vehicle.

use std::collections::BTreeMap;

use quick_xml::escape::escape;

use crate::interface::{Interface, Role};

/// Returns the terminals of an FMU.
pub fn terminals(interface: &Interface) -> String {
    let mut members: BTreeMap<&str, String> = BTreeMap::new();
    for variable in &interface.variables {
        let terminal = match &variable.role {
            Role::Input { command, .. } => &*interface.commands[*command].stream,
            Role::Output { quantity, .. } => quantity.split('/').next().unwrap_or_default(),
            Role::Time | Role::Parameter => continue,
        };
        let short = variable.name.strip_prefix(terminal).unwrap_or(&variable.name);
        *members.entry(terminal).or_default() += &format!(
            "      <TerminalMemberVariable variableName=\"{}\" memberName=\"{}\" variableKind=\"signal\"/>\n",
            escape(&variable.name),
            escape(short.trim_start_matches('/')),
        );
    }
    let terminal = |(name, members): (&&str, &String)| {
        format!(
            "    <Terminal name=\"{}\" matchingRule=\"bus\">\n{members}    </Terminal>\n",
            escape(*name)
        )
    };
    let all: String = members.iter().map(terminal).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n  <Terminals>\n{all}  \
         </Terminals>\n</fmiTerminalsAndIcons>\n"
    )
}
