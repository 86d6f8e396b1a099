//! Scenarios on a straight road: each action and trigger in closed form, runs of sessions, and files that are wrong.

#![allow(clippy::unwrap_used)]

use simhost_openscenario::{
    Director, ElementState, OwnVehicle, Scenario, ScenarioHook, StoryChange, coverage_table,
    world_of,
};

const ROAD: &str = include_str!("straight.xodr");
const STEP: f64 = 0.01;

/// Returns a vehicle of 4 m by 2 m whose middle is 1.5 m ahead of its origin.
fn object(name: &str) -> String {
    format!(
        "<ScenarioObject name=\"{name}\"><Vehicle name=\"car\" vehicleCategory=\"car\"><BoundingBox>\
         <Center x=\"1.5\" y=\"0\" z=\"0.7\"/><Dimensions width=\"2\" length=\"4\" height=\"1.4\"/></BoundingBox>\
         <Performance maxSpeed=\"60\" maxAcceleration=\"9\" maxDeceleration=\"9\"/></Vehicle></ScenarioObject>"
    )
}

fn lane(lane: i32, s: f64) -> String {
    format!("<LanePosition roadId=\"m\" laneId=\"{lane}\" s=\"{s}\"/>")
}

fn init(name: &str, position: &str, speed: &str) -> String {
    format!(
        "<Private entityRef=\"{name}\"><PrivateAction><TeleportAction><Position>{position}</Position></TeleportAction>\
         </PrivateAction><PrivateAction><LongitudinalAction><SpeedAction>\
         <SpeedActionDynamics dynamicsShape=\"step\" dynamicsDimension=\"time\" value=\"0\"/><SpeedActionTarget>\
         <AbsoluteTargetSpeed value=\"{speed}\"/></SpeedActionTarget></SpeedAction></LongitudinalAction></PrivateAction>\
         </Private>"
    )
}

fn condition(inner: &str) -> String {
    format!(
        "<StartTrigger><ConditionGroup><Condition name=\"c\" delay=\"0\" conditionEdge=\"none\">{inner}</Condition>\
         </ConditionGroup></StartTrigger>"
    )
}

fn at(time: f64) -> String {
    condition(&format!(
        "<ByValueCondition><SimulationTimeCondition value=\"{time}\" rule=\"greaterOrEqual\"/></ByValueCondition>"
    ))
}

fn of_entity(name: &str, inner: &str) -> String {
    condition(&format!(
        "<ByEntityCondition><TriggeringEntities triggeringEntitiesRule=\"any\"><EntityRef entityRef=\"{name}\"/>\
         </TriggeringEntities><EntityCondition>{inner}</EntityCondition></ByEntityCondition>"
    ))
}

fn event(name: &str, action: &str, trigger: &str) -> String {
    format!(
        "<Event name=\"{name}\" priority=\"override\"><Action name=\"{name}-action\"><PrivateAction>{action}</PrivateAction>\
         </Action>{trigger}</Event>"
    )
}

fn speed(shape: &str, dimension: &str, value: &str, target: &str) -> String {
    format!(
        "<LongitudinalAction><SpeedAction><SpeedActionDynamics dynamicsShape=\"{shape}\" \
         dynamicsDimension=\"{dimension}\" value=\"{value}\"/><SpeedActionTarget>{target}</SpeedActionTarget></SpeedAction>\
         </LongitudinalAction>"
    )
}

fn to(speed: &str) -> String {
    format!("<AbsoluteTargetSpeed value=\"{speed}\"/>")
}

/// Returns a scenario with the cars `a`, in lane −1 at 100 m with 10 m/s, and `b`, 50 m ahead in lane −2 with 8 m/s. The
/// events are for `a`.
fn scenario(events: &str) -> String {
    format!(
        "<OpenSCENARIO><FileHeader revMajor=\"1\" revMinor=\"2\"/>\n<ParameterDeclarations>\
         <ParameterDeclaration name=\"fast\" parameterType=\"double\" value=\"10\"/></ParameterDeclarations>\n\
         <RoadNetwork><LogicFile filepath=\"straight.xodr\"/></RoadNetwork>\n<Entities>{}{}</Entities>\n<Storyboard><Init>\
         <Actions>{}{}</Actions></Init>\n<Story name=\"story\"><Act name=\"act\"><ManeuverGroup name=\"group\" \
         maximumExecutionCount=\"1\"><Actors selectTriggeringEntities=\"false\"><EntityRef entityRef=\"a\"/></Actors>\
         <Maneuver name=\"maneuver\">\n{events}\n</Maneuver></ManeuverGroup>{}</Act></Story></Storyboard></OpenSCENARIO>",
        object("a"),
        object("b"),
        init("a", &lane(-1, 100.0), "$fast"),
        init("b", &lane(-2, 150.0), "${$fast - 2}"),
        at(0.0)
    )
}

fn read(events: &str) -> Scenario {
    let network = simhost_opendrive::read(ROAD).unwrap();
    Scenario::read(&scenario(events), Some(network), &[]).unwrap()
}

fn play(events: &str) -> Director {
    Director::new(read(events), &[]).unwrap()
}

/// Plays up to a time and returns the changes of the storyboard.
fn until(director: &mut Director, from: f64, to: f64) -> Vec<StoryChange> {
    let steps = ((to - from) / STEP).round() as usize;
    for step in 0..steps {
        director.advance(from + STEP * step as f64, STEP).unwrap();
    }
    director.take_changes()
}

/// Returns the time of a change of an event.
fn time_of(changes: &[StoryChange], event: &str, change: ElementState) -> f64 {
    let ending = format!("::{event}");
    let found = changes.iter().find(|one| one.element.ends_with(&ending) && one.change == change);
    found.unwrap_or_else(|| panic!("{event}: {change:?} in {changes:?}")).time
}

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() < tolerance, "found {found}, expected {expected}");
}

#[test]
fn actors_start_in_their_lanes_and_keep_their_speed() {
    let mut director = play(&event("never", &speed("step", "time", "0", &to("1")), &at(99.0)));
    assert_eq!(director.pose(0), ([100.0, -1.75, 0.0], 10.0));
    assert_eq!(director.pose(1), ([150.0, -5.25, 0.0], 8.0));
    until(&mut director, 0.0, 5.0);
    near(director.pose(0).0[0], 150.0, 1e-9);
    near(director.pose(1).0[0], 190.0, 1e-9);
}

#[test]
fn speeds_change_by_their_shapes() {
    // at half of 4 s, each shape is at half of the change; its integral is the mean speed times 4 s
    for shape in ["linear", "cubic", "sinusoidal"] {
        let mut director = play(&event("e", &speed(shape, "time", "4", &to("18")), &at(1.0)));
        until(&mut director, 0.0, 3.0);
        near(director.pose(0).1, 14.0, 1e-9);
        let changes = until(&mut director, 3.0, 6.0);
        near(time_of(&changes, "e", ElementState::End), 5.0, 1e-6);
        near(director.pose(0).1, 18.0, 1e-12);
        near(director.pose(0).0[0], 100.0 + 10.0 + 14.0 * 4.0 + 18.0, 1e-4);
    }
    let quarter = |shape| {
        let mut director = play(&event("e", &speed(shape, "time", "4", &to("18")), &at(0.0)));
        until(&mut director, 0.0, 1.0);
        director.pose(0).1
    };
    near(quarter("linear"), 12.0, 1e-9);
    near(quarter("cubic"), 10.0 + 8.0 * 0.15625, 1e-9);
    near(quarter("sinusoidal"), 10.0 + 4.0 * (1.0 - 0.5_f64.sqrt()), 1e-9);
    // 2 m/s²
    let mut director = play(&event("e", &speed("linear", "rate", "2", &to("4")), &at(0.0)));
    let changes = until(&mut director, 0.0, 5.0);
    near(time_of(&changes, "e", ElementState::End), 3.0, 1e-6);
    // relative to the other car: 8 m/s · 1.5 and 8 m/s + 1 m/s
    for (kind, value, expected) in [("factor", 1.5, 12.0), ("delta", 1.0, 9.0)] {
        let target = format!(
            "<RelativeTargetSpeed entityRef=\"b\" value=\"{value}\" speedTargetValueType=\"{kind}\" continuous=\"false\"/>"
        );
        let mut director = play(&event("e", &speed("step", "time", "0", &target), &at(0.0)));
        until(&mut director, 0.0, 0.1);
        near(director.pose(0).1, expected, 1e-12);
    }
}

fn lane_change(target: &str, shape: &str) -> String {
    format!(
        "<LateralAction><LaneChangeAction><LaneChangeActionDynamics dynamicsShape=\"{shape}\" dynamicsDimension=\"time\" \
         value=\"4\"/><LaneChangeTarget>{target}</LaneChangeTarget></LaneChangeAction></LateralAction>"
    )
}

#[test]
fn lanes_change_by_their_shapes() {
    let targets = [
        "<AbsoluteTargetLane value=\"-2\"/>",
        "<RelativeTargetLane entityRef=\"a\" value=\"-1\"/>",
        "<RelativeTargetLane entityRef=\"b\" value=\"0\"/>",
    ];
    for target in targets {
        let mut director = play(&event("e", &lane_change(target, "cubic"), &at(0.0)));
        until(&mut director, 0.0, 1.0);
        near(director.pose(0).0[1], -1.75 - 3.5 * 0.15625, 1e-9);
        until(&mut director, 1.0, 2.0);
        let [x, y, heading] = director.pose(0).0;
        near(x, 120.0, 1e-9);
        near(y, -3.5, 1e-9);
        // the steepest point: 1.5 · 3.5 m / 4 s at 10 m/s
        near(heading, -(1.5 * 3.5 / 4.0 / 10.0_f64).atan(), 1e-4);
        let changes = until(&mut director, 2.0, 5.0);
        near(time_of(&changes, "e", ElementState::End), 4.0, 1e-6);
        assert_eq!(director.pose(0).0[1..], [-5.25, 0.0]);
    }
}

#[test]
fn offsets_keep_to_their_lateral_acceleration() {
    let offset = "<LateralAction><LaneOffsetAction continuous=\"false\"><LaneOffsetActionDynamics \
                  dynamicsShape=\"cubic\" maxLateralAcc=\"0.6\"/><LaneOffsetTarget>\
                  <AbsoluteTargetLaneOffset value=\"0.9\"/></LaneOffsetTarget></LaneOffsetAction></LateralAction>";
    let mut director = play(&event("e", offset, &at(0.0)));
    let changes = until(&mut director, 0.0, 4.0);
    // T = √(6 · 0.9 / 0.6)
    near(time_of(&changes, "e", ElementState::End), 3.0, 1e-6);
    near(director.pose(0).0[1], -1.75 + 0.9, 1e-12);
}

#[test]
fn offsets_are_relative_to_the_offset_of_an_entity() {
    let offset = |target: &str| {
        format!(
            "<LateralAction><LaneOffsetAction continuous=\"false\"><LaneOffsetActionDynamics dynamicsShape=\"step\"/>\
             <LaneOffsetTarget>{target}</LaneOffsetTarget></LaneOffsetAction></LateralAction>"
        )
    };
    let relative = |entity: &str| {
        offset(&format!("<RelativeTargetLaneOffset entityRef=\"{entity}\" value=\"0.3\"/>"))
    };
    let absolute = offset("<AbsoluteTargetLaneOffset value=\"0.9\"/>");
    let events = [("e", absolute, 0.0), ("f", relative("a"), 1.0), ("g", relative("b"), 2.0)];
    let events = events.map(|(name, action, time)| event(name, &action, &at(time))).concat();
    let mut director = play(&events);
    for (from, expected) in [(0.0, 0.9), (1.0, 1.2), (2.0, 0.3)] {
        until(&mut director, from, from + 0.9);
        near(director.pose(0).0[1], -1.75 + expected, 1e-12);
    }
}

#[test]
fn a_trajectory_is_followed_by_time_and_by_speed() {
    let vertex = |time: f64, x: f64, y: f64| {
        format!(
            "<Vertex time=\"{time}\"><Position><WorldPosition x=\"{x}\" y=\"{y}\"/></Position></Vertex>"
        )
    };
    let points =
        [vertex(0.0, 100.0, -1.75), vertex(2.0, 140.0, -1.75), vertex(4.0, 140.0, 8.25)].concat();
    let follow = |reference: &str| {
        format!(
            "<RoutingAction><FollowTrajectoryAction><Trajectory name=\"t\" closed=\"false\"><Shape><Polyline>{points}\
             </Polyline></Shape></Trajectory><TimeReference>{reference}</TimeReference><TrajectoryFollowingMode \
             followingMode=\"position\"/></FollowTrajectoryAction></RoutingAction>"
        )
    };
    let timing = "<Timing domainAbsoluteRelative=\"relative\" scale=\"1\" offset=\"0\"/>";
    let mut director = play(&event("e", &follow(timing), &at(1.0)));
    until(&mut director, 0.0, 2.0);
    near(director.pose(0).0[0], 120.0, 1e-9);
    near(director.pose(0).1, 20.0, 1e-9);
    until(&mut director, 2.0, 4.0);
    near(director.pose(0).0[1], 3.25, 1e-9);
    near(director.pose(0).0[2], std::f64::consts::FRAC_PI_2, 1e-12);
    let changes = until(&mut director, 4.0, 6.0);
    near(time_of(&changes, "e", ElementState::End), 5.0, 1e-6);
    let mut director = play(&event("e", &follow("<None/>"), &at(0.0)));
    until(&mut director, 0.0, 4.5);
    // 45 m of 50 m
    near(director.pose(0).0[1], -1.75 + 5.0, 1e-9);
}

#[test]
fn a_clothoid_without_a_change_of_curvature_is_an_arc() {
    let length = 10.0 * std::f64::consts::PI;
    let follow = format!(
        "<RoutingAction><FollowTrajectoryAction><Trajectory name=\"t\" closed=\"false\"><Shape><Clothoid \
         curvature=\"0.05\" curvaturePrime=\"0\" length=\"{length}\"><Position><WorldPosition x=\"0\" y=\"50\" h=\"0\"/>\
         </Position></Clothoid></Shape></Trajectory><TimeReference><None/></TimeReference></FollowTrajectoryAction>\
         </RoutingAction>"
    );
    let mut director = play(&event("e", &follow, &at(0.0)));
    let changes = until(&mut director, 0.0, 3.2);
    near(time_of(&changes, "e", ElementState::End), 3.15, 1e-6);
    // a quarter of a circle of 20 m, then straight on in its direction
    let [x, y, heading] = director.pose(0).0;
    near(x, 20.0, 1e-6);
    near(heading, std::f64::consts::FRAC_PI_2, 1e-9);
    assert!(y >= 70.0, "{y}");
}

#[test]
fn synchronized_actors_arrive_together() {
    for (last, expected) in [(None, 15.0), (Some(6.0), 6.0)] {
        let last = last.map_or(String::new(), |speed| {
            format!("<FinalSpeed><AbsoluteSpeed value=\"{speed}\"/></FinalSpeed>")
        });
        let action = format!(
            "<SynchronizeAction masterEntityRef=\"b\"><TargetPositionMaster>{}</TargetPositionMaster><TargetPosition>{}\
             </TargetPosition>{last}</SynchronizeAction>",
            lane(-2, 230.0),
            lane(-1, 225.0)
        );
        let mut director = play(&event("e", &action, &at(0.0)));
        // b needs 10 s for 80 m; a has 125 m: without a final speed from 10 m/s to 15 m/s
        let changes = until(&mut director, 0.0, 10.0);
        near(time_of(&changes, "e", ElementState::End), 10.0, 0.02);
        near(director.pose(0).0[0], 225.0, 0.1);
        near(director.pose(0).1, expected, 0.05);
    }
}

#[test]
fn triggers_hold_at_their_limits() {
    let reach = format!(
        "<ReachPositionCondition tolerance=\"1\"><Position>{}</Position></ReachPositionCondition>",
        lane(-1, 131.0)
    );
    let distance = |kind: &str, freespace: bool, value: f64| {
        format!(
            "<RelativeDistanceCondition entityRef=\"b\" relativeDistanceType=\"{kind}\" freespace=\"{freespace}\" \
             value=\"{value}\" rule=\"lessOrEqual\"/>"
        )
    };
    let headway = "<TimeHeadwayCondition entityRef=\"b\" value=\"4\" freespace=\"true\" rule=\"lessOrEqual\"/>";
    let cases = [
        ("<TraveledDistanceCondition value=\"25\"/>".to_owned(), 2.5),
        (reach, 3.0),
        // 50 m apart, 2 m/s closer
        (distance("longitudinal", false, 44.0), 3.0),
        (distance("longitudinal", true, 44.0), 1.0),
        (distance("lateral", true, 1.6), 0.0),
        (distance("cartesianDistance", false, 12.5), 19.0),
        (distance("euclidianDistance", true, (30.0_f64 * 30.0 + 1.5 * 1.5).sqrt()), 8.0),
        (headway.to_owned(), 3.0),
    ];
    for (inner, expected) in cases {
        let act = speed("step", "time", "0", &to("10"));
        let mut director = play(&event("e", &act, &of_entity("a", &inner)));
        let changes = until(&mut director, 0.0, 25.0);
        near(time_of(&changes, "e", ElementState::Start), expected, 0.011);
    }
    let faster = event("one", &speed("linear", "rate", "1", &to("20")), &at(0.0));
    let inner = "<SpeedCondition value=\"14\" rule=\"greaterThan\"/>";
    let slower = event("two", &speed("step", "time", "0", &to("5")), &of_entity("a", inner));
    let mut director = play(&(faster + &slower));
    let changes = until(&mut director, 0.0, 6.0);
    near(time_of(&changes, "two", ElementState::Start), 4.0, 0.021);
    // the second event overrides the first one
    near(time_of(&changes, "one", ElementState::Stop), 4.0, 0.021);
}

#[test]
fn events_follow_each_other() {
    let first = event("one", &speed("linear", "time", "2", &to("12")), &at(1.0));
    let after = "<ByValueCondition><StoryboardElementStateCondition storyboardElementType=\"event\" \
                 storyboardElementRef=\"one\" state=\"completeState\"/></ByValueCondition>";
    let trigger = condition(after).replace("delay=\"0\"", "delay=\"0.5\"");
    let second = event("two", &speed("step", "time", "0", &to("3")), &trigger);
    let mut director = play(&(first + &second));
    let changes = until(&mut director, 0.0, 5.0);
    near(time_of(&changes, "two", ElementState::Start), 3.5, 0.011);
    assert!(director.is_over(), "all acts are complete");
}

#[test]
fn wrong_scenarios_are_refused_with_their_lines() {
    let usual = event("e", &speed("step", "time", "0", &to("1")), &at(0.0));
    let cases = [
        (
            "<LongitudinalAction>",
            "<VisibilityAction/><LongitudinalAction>",
            "line 5",
            "VisibilityAction",
        ),
        (
            "dynamicsShape=\"step\" dynamicsDimension=\"time\" value=\"0\"/><SpeedActionTarget><AbsoluteTargetSpeed value=\"1\"",
            "dynamicsShape=\"slow\" dynamicsDimension=\"time\" value=\"0\"/><SpeedActionTarget><AbsoluteTargetSpeed value=\"1\"",
            "line 7",
            "\"slow\"",
        ),
        (
            "entityRef=\"a\"/></Actors>",
            "entityRef=\"z\"/></Actors>",
            "line 6",
            "unknown entity `z`",
        ),
        ("laneId=\"-1\" s=\"100\"", "laneId=\"-3\" s=\"100\"", "line 5", "no lane -3"),
        ("roadId=\"m\"", "roadId=\"n\"", "line 5", "no road `n`"),
        ("s=\"100\"", "s=\"2001\"", "line 5", "expected 0 to 2000"),
        ("value=\"$fast\"", "value=\"$slow\"", "line 5", "unknown parameter `slow`"),
        ("value=\"$fast\"", "value=\"$fats\"", "line 5", "did you mean `fast`?"),
        ("${$fast - 2}", "${$fast - }", "line 5", "end of the expression"),
        (
            "<AbsoluteTargetSpeed value=\"1\"",
            "<AbsoluteTargetSpeed value=\"nan\"",
            "line 7",
            "expected a number",
        ),
    ];
    for (from, to, line, text) in cases {
        let correct = scenario(&usual);
        assert!(correct.contains(from), "{from}");
        let network = simhost_opendrive::read(ROAD).unwrap();
        let wrong = correct.replacen(from, to, 1);
        let Err(error) = Scenario::read(&wrong, Some(network), &[]) else {
            panic!("{to} is accepted");
        };
        let message = error.to_string();
        assert!(message.contains(text), "{message}: expected {text}");
        assert!(message.starts_with(&format!("{line}: ")), "{message}: expected {line}");
    }
    let unknown = Scenario::read(&scenario(&usual), None, &[]).err().unwrap();
    assert!(unknown.to_string().contains("without a <RoadNetwork>"), "{unknown}");
}

/// Scenarios with random changes are refused, or played without a panic.
#[test]
fn changed_scenarios_are_refused_or_played() {
    let usual = [
        event("e", &speed("linear", "time", "2", &to("1")), &at(0.0)),
        event(
            "f",
            &speed("step", "time", "0", &to("3")),
            &of_entity("a", "<SpeedCondition value=\"2\" rule=\"greaterThan\"/>"),
        ),
    ];
    let text = scenario(&usual.concat());
    let number = |name: &str| std::env::var(name).ok().and_then(|one| one.parse::<u64>().ok());
    let (first, count) = (number("SIMHOST_RANDOM_FIRST"), number("SIMHOST_RANDOM_COUNT"));
    let first = first.unwrap_or(0);
    let mut played = 0;
    for seed in first..first + count.unwrap_or(500) {
        let mut random = simhost_sdk::Random::new(seed);
        let mut below = |most: usize| (random.uniform() * most as f64) as usize;
        let mut changed = text.clone();
        for _ in 0..=below(3) {
            // a value, a word, or a part of the text that is twice there or missing
            let marks: Vec<usize> = changed.match_indices('"').map(|(at, _)| at).collect();
            let pair = 2 * below(marks.len() / 2);
            let (from, to) = (marks[pair] + 1, marks[pair + 1]);
            let values = [
                "", "-1", "0", "1e300", "nan", "a", "m", "-2", "0.5", "$fast", "${1/0}", "linear",
                "distance", "rate",
            ];
            match below(4) {
                0 => {
                    let at = changed[from..].find('>').map_or(from, |at| from + at + 1);
                    let end = changed[at..].find('>').map_or(at, |end| at + end + 1);
                    changed.replace_range(at..end, "");
                }
                1 => {
                    let at = changed[from..].find("><").map_or(from, |at| from + at + 1);
                    let end = changed[at..].find('>').map_or(at, |end| at + end + 1);
                    let part = changed[at..end].to_owned();
                    changed.insert_str(at, &part);
                }
                _ => changed.replace_range(from..to, values[below(values.len())]),
            }
        }
        let network = simhost_opendrive::read(ROAD).unwrap();
        let Ok(read) = Scenario::read(&changed, Some(network), &[]) else { continue };
        let Ok(mut director) = Director::new(read, &[]) else { continue };
        let steps = (0..100).map(|step| director.advance(0.1 * f64::from(step), 0.1));
        played += u32::from(steps.last().unwrap().is_ok());
    }
    assert!(played > 20, "{played}");
}

#[test]
fn an_action_of_an_entity_that_drives_itself_is_an_error_with_its_line() {
    let events = event("e", &speed("step", "time", "0", &to("1")), &at(0.0));
    let lines = scenario(&events).lines().position(|line| line.contains("<Event ")).unwrap() + 1;
    let error = Director::new(read(&events), &["a".to_owned()]).err().unwrap().in_file("a.xosc");
    assert!(error.contains(&format!("a.xosc:{lines}")), "{error}");
    assert!(error.contains("e-action") && error.contains("--vehicle"), "{error}");
}

#[test]
fn parameters_are_replaced() {
    let network = simhost_opendrive::read(ROAD).unwrap();
    let usual = event("e", &speed("step", "time", "0", &to("1")), &at(0.0));
    let given = [("fast".to_owned(), "20".to_owned())];
    let read = Scenario::read(&scenario(&usual), Some(network), &given).unwrap();
    assert_eq!([read.entities[0].speed, read.entities[1].speed], [20.0, 18.0]);
    let wrong = [("slow".to_owned(), "20".to_owned())];
    let error = Scenario::read(&scenario(&usual), None, &wrong).err().unwrap();
    assert!(error.to_string().contains("no parameter `slow`"), "{error}");
}

/// Opens a session with a scenario in a folder that has the road.
fn session(events: &str, own: &[OwnVehicle], folder: &std::path::Path) -> simhost::Session {
    let _ = simhost_families::PLUGINS;
    std::fs::write(folder.join("straight.xodr"), ROAD).unwrap();
    let names: Vec<String> = own.iter().map(|one| one.entity.clone()).collect();
    let starts = Director::new(read(events), &names).unwrap();
    let read = read(events);
    let text = world_of(&read, &starts, own, folder, [STEP, 60.0]);
    let entities = read.entities.iter().map(|one| one.name.clone()).collect();
    let path = folder.join("scenario.world.xml");
    let session = simhost::Session::from_text(&text, path, simhost::Options::default()).unwrap();
    let (hook, _) = ScenarioHook::new(starts, entities, own);
    session.hooks().add(hook);
    session
}

#[test]
fn vehicles_of_a_session_are_where_the_director_says() {
    let folder = tempfile::tempdir().unwrap();
    let change = lane_change("<AbsoluteTargetLane value=\"-2\"/>", "sinusoidal");
    let mut session = session(&event("e", &change, &at(1.0)), &[], folder.path());
    session.run_steps(300).unwrap();
    let poses: Vec<[f64; 6]> = session.simulation().vehicles().map(|one| one.pose).collect();
    // half of the change after 2 s
    near(poses[0][0], 130.0, 1e-6);
    near(poses[0][1], -3.5, 1e-6);
    near(poses[1][0], 174.0, 1e-6);
    // the run ends with the last act, after 5 s
    session.run_steps(1000).unwrap();
    assert!((500..=502).contains(&session.steps()), "{}", session.steps());
}

/// A car that rolls freely, with its class `own`.
const OWN: &str = "<vehicle:class name=\"own\"><dynamics class=\"ackermann\"><controller class=\"raw\"/></dynamics></vehicle:class>";

/// An actor at 20 m/s runs into a vehicle at 8 m/s, pushes it away, and keeps to its plan. The vehicle was thrown, because
/// the actor caught up with its plan within one step.
#[test]
fn an_actor_pushes_a_vehicle_and_keeps_to_its_plan() {
    let folder = tempfile::tempdir().unwrap();
    let own =
        OwnVehicle { entity: "b".to_owned(), include: OWN.to_owned(), class: "own".to_owned() };
    let change = lane_change("<AbsoluteTargetLane value=\"-2\"/>", "step");
    let events = event("s", &speed("step", "time", "0", &to("20")), &at(0.0))
        + &event("e", &change, &at(0.1)).replace("override", "parallel")
        + &event("z", &speed("step", "time", "0", &to("20")), &at(12.0))
            .replace("override", "parallel");
    let mut session = session(&events, &[own], folder.path());
    let mut fastest = 0.0_f64;
    let mut met = false;
    for _ in 0..100 {
        session.run_steps(10).unwrap();
        let mut values = Vec::new();
        session.quantities(["b/twist"]).unwrap().read(session.simulation(), &mut values);
        fastest = fastest.max(values[0].abs());
        met |= values[0].abs() > 12.0;
    }
    // as fast as an actor that returns to its plan, at most
    assert!(met && fastest < 1.5 * 20.0 + 2.0 + 0.1, "{fastest}");
    let poses: Vec<[f64; 6]> = session.simulation().vehicles().map(|one| one.pose).collect();
    near(poses[0][0], 100.0 + 0.01 * 10.0 + 20.0 * 9.99, 0.3);
    near(poses[0][1], -5.25, 0.1);
}

#[test]
fn the_table_of_the_documentation_is_the_one_of_the_reader() {
    let table = coverage_table();
    let page = include_str!("../../../docs/src/scenarios.md");
    assert!(page.contains(&table), "replace the table of docs/src/scenarios.md by:\n{table}");
}
