//! The input streams that clients see.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use simhost::{Options, Session};
use simhost_streams::Control;

const WORLD: &str = r#"<mvsim_world version="1.0">
  <vehicle:class name="robot"><dynamics class="differential"/></vehicle:class>
  <vehicle name="a" class="robot"><init_pose>0 0 0</init_pose></vehicle>
</mvsim_world>"#;

fn names(inputs: &impl Control) -> Vec<String> {
    inputs.input_streams().iter().map(|stream| stream.name.clone()).collect()
}

#[test]
fn input_streams_are_listed_for_clients_alone_and_follow_the_world() {
    let mut session = Session::from_text(WORLD, "w.world.xml", Options::default()).unwrap();
    let plain = session.inputs();
    assert_eq!(names(&plain), [""; 0], "a run without clients needs none");
    let clients = session.client_inputs().unwrap();
    assert!(names(&clients).iter().any(|name| name == "a/set_pose"));
    assert_eq!(names(&clients), names(&plain));
    let fragment = "<vehicle name=\"b\" class=\"robot\"><init_pose>9 0 0</init_pose></vehicle>";
    session.edit().add(fragment).unwrap();
    let all = session.world().streams().unwrap();
    let inputs = all.iter().filter(|stream| stream.is_input());
    let expected: Vec<String> = inputs.map(|stream| stream.name.clone()).collect();
    assert!(expected.iter().any(|name| name == "b/set_pose"));
    assert_eq!(names(&clients), expected);
    session.edit().forget_description();
    assert_eq!(names(&session.client_inputs().unwrap()), expected);
}

#[test]
fn input_streams_need_the_description_of_the_world() {
    let mut session = Session::from_text(WORLD, "w.world.xml", Options::default()).unwrap();
    session.edit().forget_description();
    assert!(session.client_inputs().is_err());
}
