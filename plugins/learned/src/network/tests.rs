#![allow(clippy::unwrap_used)]

use simhost_sdk::BinaryFile;
use simhost_sdk::submodel::Submodel;

use super::Network;

const FILE: &[u8] = include_bytes!("../../training/delay_steer_vel.onnx");

/// Returns the states after commands of 5 m/s and 0.1 rad for `time` seconds in steps of `dt`.
fn run(network: &Network, dt: f64, time: f64) -> [f64; 2] {
    let mut memory = vec![0.0; network.memory_len()];
    network.reset(&mut memory);
    let mut states = [0.0; 2];
    for _ in 0..(time / dt).round() as usize {
        let before = states;
        network.forward(&[5.0, 0.1], &before, dt, &mut memory, &mut states);
    }
    states
}

#[test]
fn a_network_follows_its_commands() {
    let network = Network::from_bytes(FILE).unwrap();
    assert_eq!(network.actions(), ["VX_DES", "STEER_DES"]);
    assert_eq!(network.states(), ["VX", "STEER"]);
    // the dead times are 0.25 and 0.24 s
    let [speed, angle] = run(&network, 0.025, 0.2);
    assert!(speed.abs() < 0.01 && angle.abs() < 0.001, "{speed} {angle}");
    let [speed, angle] = run(&network, 0.025, 8.0);
    assert!((speed - 5.0).abs() < 0.01 && (angle - 0.1).abs() < 0.001, "{speed} {angle}");
}

#[test]
fn the_step_of_the_world_does_not_matter() {
    let network = Network::from_bytes(FILE).unwrap();
    let expected = run(&network, 0.025, 1.0);
    for dt in [0.0125, 0.005, 0.05, 0.1] {
        let found = run(&network, dt, 1.0);
        // commands do not change, so that only rounding differs
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-4, "{dt}: {found} {expected}");
        }
    }
}

/// Returns the file with a name replaced by another of the same length.
fn with(name: &str, other: &str) -> Vec<u8> {
    assert_eq!(name.len(), other.len());
    let at = FILE.windows(name.len()).position(|bytes| bytes == name.as_bytes()).unwrap();
    let mut bytes = FILE.to_vec();
    bytes[at..at + name.len()].copy_from_slice(other.as_bytes());
    bytes
}

/// Each place of the name of the output is changed once: in the node, whose output it is, and in the graph.
#[test]
fn an_output_that_no_node_computes_is_refused() {
    let name = b"rates";
    let places: Vec<usize> =
        (0..FILE.len() - name.len()).filter(|at| FILE[*at..].starts_with(name)).collect();
    assert!(places.len() >= 2, "{places:?}");
    for at in places {
        let mut bytes = FILE.to_vec();
        bytes[at] = b'x';
        let error = Network::from_bytes(&bytes).err().unwrap();
        assert!(error.contains("is the output of none of its nodes"), "{at}: {error}");
    }
}

#[test]
fn files_of_another_form_are_refused() {
    for (bytes, expected) in [
        (b"PK\x03\x04 not a network".to_vec(), "a.onnx: not an ONNX network that can be run"),
        (FILE[..FILE.len() / 2].to_vec(), "a.onnx: not an ONNX network that can be run"),
        (Vec::new(), "a.onnx: its metadata lack `actions`, found none"),
        (with("0.025", "-.025"), "a.onnx: its metadata give `-.025` for `step`"),
        (with("VX STEER", "VX+STEER"), "a.onnx: `states` has the shape [1, 2], expected [1, 1]"),
        (
            with("VX_DES STEER_DES", "VX_DES STE R_DES"),
            "a.onnx: `actions` has the shape [1, 12, 2], expected [1, H, 3]",
        ),
    ] {
        let mut network = Network::default();
        let file = BinaryFile { path: "a.onnx".into(), bytes };
        let error = network.load(&file).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
}
