#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_learned::network::Network;
use simhost_sdk::BinaryFile;
use simhost_sdk::submodel::Submodel;

fuzz_target!(|bytes: &[u8]| {
    let file = BinaryFile { path: "a.onnx".to_owned(), bytes: bytes.to_vec() };
    let mut network = Network::default();
    if network.load(&file).is_err() {
        return;
    }
    let (actions, states) = (network.actions().len(), network.states().len());
    let (mut memory, mut next) = (vec![0.0; network.memory_len()], vec![0.0; states]);
    network.forward(&vec![1.0; actions], &vec![0.0; states], 0.01, &mut memory, &mut next);
});
