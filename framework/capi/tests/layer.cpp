/* The C++ layer: objects, exceptions and moves. Usage: layer WORLD */
#include "simhost.hpp"

#include <cstdio>
#include <cstdlib>

static void require(bool condition, const char *text) {
    if (!condition) {
        std::fprintf(stderr, "not %s\n", text);
        std::exit(1);
    }
}
#define REQUIRE(...) require((__VA_ARGS__), #__VA_ARGS__)

/* Returns the code of the exception that a call throws. */
template <class Call>
static std::int32_t thrown(Call call) {
    try {
        call();
    } catch (const simhost::Error &error) {
        REQUIRE(error.what()[0] != '\0');
        return error.code();
    }
    return SIMHOST_OK;
}

int main(int, char **arguments) {
    const std::string path = arguments[1];
    simhost::Session opened(path);
    simhost::Session session = std::move(opened);
    REQUIRE(thrown([&] { opened.step(); }) == SIMHOST_HANDLE);
    REQUIRE(thrown([&] { session.command("robbot", "twist"); }) == SIMHOST_UNKNOWN_NAME);
    REQUIRE(session.names(SIMHOST_NAMES_VEHICLES) == (std::vector<std::string>{"robot", "car", "rover"}));
    session.command("robot", "twist")({1.0, 0.0, 0.2});
    simhost::Quantities pose = session.quantities("robot/pose");
    REQUIRE(pose.width() == 6 && std::string(pose.describe(5).unit) == "rad");
    REQUIRE(session.step(100) == SIMHOST_ENDED_REACHED && session.status().steps == 100);
    const simhost::Snapshot kept = simhost::Snapshot::from_bytes(session.snapshot().to_bytes());
    session.step(100);
    const std::string first = session.result_hash();
    const std::vector<double> there = pose.read();
    session.restore(kept);
    REQUIRE(pose.read() != there);
    session.step(100);
    REQUIRE(session.result_hash() == first && pose.read() == there);
    REQUIRE(session.latest("robot/odometry", "position").size() == 3);
    REQUIRE(session.latest_cdr("robot/odometry").size() > 100);
    REQUIRE(session.stream_definition("robot/odometry").rfind("MSG: ", 0) == 0);
    session.set_parameter("robot/controller/KP", "7.5");
    REQUIRE(session.parameter("robot/controller/KP") == "7.5");

    simhost::Options text;
    text.text = "<mvsim_world>\n  <duration>-1</duration>\n</mvsim_world>";
    try {
        simhost::Session failed("here.xml", text);
        REQUIRE(false);
    } catch (const simhost::Error &error) {
        REQUIRE(error.code() == SIMHOST_WORLD && error.line() == 2 && !error.file().empty());
    }

    simhost::Ensemble ensemble(path, 8, {"robot/friction/mu=uniform:0.3:1.0"});
    std::size_t width = 0;
    const simhost_quantities spins = ensemble.select("robot/wheel/?/spin", &width);
    ensemble.set("robot/cmd_vel", std::vector<double>(8 * ensemble.command_width("robot/cmd_vel"), 0.5));
    ensemble.step(50);
    std::vector<double> matrix(8 * width);
    ensemble.read(spins, matrix);
    REQUIRE(ensemble.ended() == std::vector<std::uint8_t>(8, SIMHOST_MEMBER_RUNNING));
    REQUIRE(ensemble.session(3).result_hash() == ensemble.result_hash(3));
    REQUIRE(thrown([&] { ensemble.session(8); }) == SIMHOST_MEMBER);
    std::puts("ok");
    return 0;
}
