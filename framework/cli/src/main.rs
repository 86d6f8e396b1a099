//! The program `simhost`, which is a library so that other programs can have its command line.

fn main() -> std::process::ExitCode {
    simhost_cli::main()
}
