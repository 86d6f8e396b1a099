/*
 * simhost as a library for C++17: classes over the functions of simhost.h, which documents them.
 *
 * Objects free their handles. Failed calls throw simhost::Error. Objects can be moved, not copied. Commands and
 * quantities must not outlive their session, and are used by the same thread.
 */
#ifndef SIMHOST_HPP
#define SIMHOST_HPP

#include "simhost.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace simhost {

/* A call has failed. what() is the text of the error. */
class Error : public std::runtime_error {
public:
    Error(std::int32_t code, const std::string &text, std::string file = {}, unsigned line = 0,
          unsigned column = 0)
        : std::runtime_error(text), code_(code), line_(line), column_(column), file_(std::move(file)) {}

    /* SIMHOST_*. */
    std::int32_t code() const noexcept { return code_; }
    /* File of the first error of a world; empty without a position. */
    const std::string &file() const noexcept { return file_; }
    /* Line and column, counted from 1; 0 without a position. */
    unsigned line() const noexcept { return line_; }
    unsigned column() const noexcept { return column_; }

private:
    std::int32_t code_;
    unsigned line_;
    unsigned column_;
    std::string file_;
};

/* Returns the table of functions. Throws if the library has another version. */
inline const simhost_functions &api() {
    const simhost_functions *table = simhost_api(SIMHOST_API_VERSION);
    if (table == nullptr) {
        throw Error(SIMHOST_FAILED, "the library has another version of the interface; expected version " +
                                        std::to_string(SIMHOST_API_VERSION));
    }
    return *table;
}

namespace detail {

/* Throws the last error of a handle. */
template <class Handle>
[[noreturn]] void fail(std::int32_t code, Handle *handle,
                       std::int32_t (*last)(Handle *, simhost_error *)) {
    simhost_error error = simhost_error_default();
    const bool is_kept = last(handle, &error) == SIMHOST_OK && error.code == code;
    if (!is_kept) {
        throw Error(code, api().code_name(code));
    }
    throw Error(code, error.text, error.file == nullptr ? "" : error.file, error.line, error.column);
}

/* Calls `fill` twice: for the number of values, and for the values. */
template <class Values, class Fill>
Values filled(std::size_t extra, Fill fill) {
    std::size_t count = 0;
    fill(nullptr, 0, &count);
    Values values(count + extra, typename Values::value_type());
    fill(values.data(), values.size(), &count);
    values.resize(count);
    return values;
}

/* Texts as pointers. */
inline std::vector<const char *> pointers(const std::vector<std::string> &texts) {
    std::vector<const char *> all;
    for (const std::string &text : texts) {
        all.push_back(text.c_str());
    }
    return all;
}

} // namespace detail

/* How a world is opened. */
struct Options {
    std::string text;                        /* text of the world file; empty: read the file */
    bool has_seed = false;                   /* whether `seed` counts */
    std::uint64_t seed = 0;                  /* seed of all random numbers */
    std::uint32_t threads = 1;               /* results do not depend on it */
    std::vector<std::string> plugin_folders; /* folders of plugins */
    std::string out;                         /* folder for the record; empty: none */
    bool force = false;                      /* whether to write to a folder with other files */
    std::string compat;                      /* profile of another simulator */
    bool lenient = false;                    /* whether unknown elements are warnings */
    bool allow_fmu = false;                  /* whether the world may run the code of FMUs */
    bool allow_shell = false;                /* whether the world may run commands */
    simhost_log log = nullptr;               /* takes the log */
    void *log_user = nullptr;                /* first argument of `log` */
    std::uint32_t log_level = SIMHOST_LOG_INFO;

    /* Calls `use` with the options for C. */
    template <class Use>
    auto as_c(const std::string &path, Use use) const {
        const std::vector<const char *> folders = detail::pointers(plugin_folders);
        simhost_options options = simhost_options_default();
        const auto set = [](const std::string &value) { return value.empty() ? nullptr : value.c_str(); };
        options.path = path.c_str();
        options.text = set(text);
        options.seed = has_seed ? &seed : nullptr;
        options.plugin_folders = folders.data();
        options.plugin_folder_count = folders.size();
        options.out = set(out);
        options.compat = set(compat);
        options.log = log;
        options.log_user = log_user;
        options.threads = threads;
        options.log_level = log == nullptr ? SIMHOST_LOG_OFF : log_level;
        options.force = force ? 1 : 0;
        options.lenient = lenient ? 1 : 0;
        options.allow = (allow_fmu ? SIMHOST_ALLOW_FMU : 0) | (allow_shell ? SIMHOST_ALLOW_SHELL : 0);
        return use(options);
    }
};

/* The state of a session. */
class Snapshot {
public:
    explicit Snapshot(simhost_snapshot *handle) noexcept : handle_(handle) {}
    Snapshot(Snapshot &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Snapshot &operator=(Snapshot &&other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Snapshot() { api().snapshot_free(&handle_); }

    static Snapshot from_bytes(const std::vector<std::uint8_t> &bytes) {
        Snapshot snapshot(nullptr);
        snapshot.check(api().snapshot_from_bytes(bytes.data(), bytes.size(), &snapshot.handle_));
        return snapshot;
    }

    std::vector<std::uint8_t> to_bytes() const {
        return detail::filled<std::vector<std::uint8_t>>(
            0, [this](std::uint8_t *to, std::size_t capacity, std::size_t *count) {
                check(api().snapshot_bytes(handle_, to, capacity, count));
            });
    }

    std::string state_hash() const {
        char hash[SIMHOST_HASH_CAPACITY];
        check(api().snapshot_hash(handle_, hash, sizeof hash));
        return hash;
    }

    simhost_snapshot *get() const noexcept { return handle_; }

private:
    void check(std::int32_t code) const {
        if (code != SIMHOST_OK) {
            detail::fail(code, handle_, api().snapshot_error);
        }
    }

    simhost_snapshot *handle_;
};

class Session;

namespace detail {

/* Throws the last error of a session unless a code is SIMHOST_OK. */
inline void check(simhost_session *session, std::int32_t code) {
    if (code != SIMHOST_OK) {
        fail(code, session, api().error);
    }
}

} // namespace detail

/* A command of a vehicle. */
class Command {
public:
    /* Sets the values from the next step on. */
    void operator()(const std::vector<double> &values) const {
        detail::check(session_, api().command(session_, number_, values.data(), values.size()));
    }
    /* Number of values. */
    std::size_t width() const noexcept { return width_; }

private:
    friend class Session;
    Command(simhost_session *session, simhost_command number, std::size_t width)
        : session_(session), number_(number), width_(width) {}

    simhost_session *session_;
    simhost_command number_;
    std::size_t width_;
};

/* Selected quantities of a session. */
class Quantities {
public:
    Quantities(Quantities &&other) noexcept
        : session_(other.session_), number_(std::exchange(other.number_, 0)), width_(other.width_) {}
    Quantities &operator=(Quantities &&) = delete;
    ~Quantities() {
        if (number_ != 0) {
            api().quantities_free(session_, number_);
        }
    }

    /* Number of values. */
    std::size_t width() const noexcept { return width_; }
    /* Returns the present values. */
    std::vector<double> read() const {
        std::vector<double> values(width_);
        std::size_t count = 0;
        detail::check(session_,
                      api().quantities_read(session_, number_, values.data(), values.size(), &count));
        return values;
    }
    /* Describes a value. */
    simhost_quantity describe(std::size_t index) const {
        simhost_quantity quantity = simhost_quantity_default();
        detail::check(session_, api().quantities_describe(session_, number_, index, &quantity));
        return quantity;
    }

private:
    friend class Session;
    Quantities(simhost_session *session, simhost_quantities number, std::size_t width)
        : session_(session), number_(number), width_(width) {}

    simhost_session *session_;
    simhost_quantities number_;
    std::size_t width_;
};

/* One simulation that runs. */
class Session {
public:
    explicit Session(const std::string &path, const Options &options = {}) : handle_(nullptr) {
        options.as_c(path, [this](const simhost_options &given) {
            const std::int32_t code = api().open(&given, &handle_);
            if (code != SIMHOST_OK) {
                Session failed(std::exchange(handle_, nullptr));
                failed.check(code);
            }
        });
    }
    explicit Session(simhost_session *handle) noexcept : handle_(handle) {}
    Session(Session &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Session &operator=(Session &&other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Session() { api().close(&handle_); }

    /* Takes steps, and returns SIMHOST_ENDED_*. */
    std::uint32_t step(std::uint64_t steps = 1) {
        std::uint32_t ended = 0;
        check(api().step(handle_, steps, &ended));
        return ended;
    }
    std::uint32_t run_until(double time) {
        std::uint32_t ended = 0;
        check(api().run_until(handle_, time, &ended));
        return ended;
    }
    void finish() { check(api().finish(handle_)); }
    simhost_status status() const {
        simhost_status status = simhost_status_default();
        check(api().status(handle_, &status));
        return status;
    }
    double time() const {
        double time = 0.0;
        check(api().time(handle_, &time));
        return time;
    }
    Session fork() {
        Session copy(nullptr);
        check(api().fork(handle_, &copy.handle_));
        return copy;
    }
    std::string result_hash() const {
        char hash[SIMHOST_HASH_CAPACITY];
        check(api().result_hash(handle_, hash, sizeof hash));
        return hash;
    }

    /* Returns the names of a list, SIMHOST_NAMES_*. */
    std::vector<std::string> names(std::uint32_t list) const {
        const std::string text = texts([this, list](char *to, std::size_t capacity, std::size_t *length) {
            check(api().names(handle_, list, to, capacity, length));
        });
        std::vector<std::string> all;
        for (std::size_t start = 0; start < text.size();) {
            const std::size_t end = std::min(text.find('\n', start), text.size());
            all.push_back(text.substr(start, end - start));
            start = end + 1;
        }
        return all;
    }

    Command command(const std::string &vehicle, const std::string &kind) {
        simhost_command number = 0;
        std::size_t width = 0;
        check(api().command_find(handle_, vehicle.c_str(), kind.c_str(), &number, &width));
        return Command(handle_, number, width);
    }
    /* Selects quantities by patterns, one per line. */
    Quantities quantities(const std::string &patterns) {
        simhost_quantities number = 0;
        std::size_t width = 0;
        check(api().quantities_find(handle_, patterns.c_str(), &number, &width));
        return Quantities(handle_, number, width);
    }

    simhost_odometry odometry(const std::string &stream) {
        simhost_odometry odometry = simhost_odometry_default();
        check(api().latest_odometry(handle_, stream.c_str(), &odometry));
        return odometry;
    }
    std::vector<double> latest(const std::string &stream, const std::string &field) {
        return detail::filled<std::vector<double>>(
            0, [&](double *to, std::size_t capacity, std::size_t *count) {
                check(api().latest_numbers(handle_, stream.c_str(), field.c_str(), to, capacity, count));
            });
    }
    std::vector<std::uint8_t> latest_cdr(const std::string &stream) {
        return detail::filled<std::vector<std::uint8_t>>(
            0, [&](std::uint8_t *to, std::size_t capacity, std::size_t *count) {
                check(api().latest_cdr(handle_, stream.c_str(), to, capacity, count));
            });
    }
    std::string stream_definition(const std::string &stream) const {
        return texts([&](char *to, std::size_t capacity, std::size_t *length) {
            check(api().stream_definition(handle_, stream.c_str(), to, capacity, length));
        });
    }
    void send_cdr(const std::string &stream, const std::vector<std::uint8_t> &bytes) {
        check(api().send_cdr(handle_, stream.c_str(), bytes.data(), bytes.size()));
    }

    std::string parameter(const std::string &name) const {
        return texts([&](char *to, std::size_t capacity, std::size_t *length) {
            check(api().parameter(handle_, name.c_str(), to, capacity, length));
        });
    }
    void set_parameter(const std::string &name, const std::string &value) {
        check(api().set_parameter(handle_, name.c_str(), value.c_str()));
    }
    void set_state(const std::string &name, double value) {
        check(api().set_state(handle_, name.c_str(), value));
    }
    void set_pose(const std::string &entity, const std::array<double, 3> &pose) {
        check(api().set_pose(handle_, entity.c_str(), pose.data()));
    }
    void set_velocity(const std::string &entity, const std::array<double, 3> &velocity) {
        check(api().set_velocity(handle_, entity.c_str(), velocity.data()));
    }
    void add(const std::string &fragment) { check(api().add(handle_, fragment.c_str())); }
    void remove(const std::string &entity) { check(api().remove(handle_, entity.c_str())); }
    void reset() { check(api().reset(handle_, nullptr)); }
    void reset(std::uint64_t seed) { check(api().reset(handle_, &seed)); }

    Snapshot snapshot() {
        simhost_snapshot *snapshot = nullptr;
        check(api().snapshot(handle_, &snapshot));
        return Snapshot(snapshot);
    }
    void restore(const Snapshot &snapshot) { check(api().restore(handle_, snapshot.get())); }

    simhost_session *get() const noexcept { return handle_; }

private:
    void check(std::int32_t code) const { detail::check(handle_, code); }

    template <class Fill>
    static std::string texts(Fill fill) {
        return detail::filled<std::string>(1, fill);
    }

    simhost_session *handle_;
};

/* One world many times, with differences. */
class Ensemble {
public:
    Ensemble(const std::string &path, std::size_t members, const std::vector<std::string> &variations = {},
             const Options &options = {})
        : handle_(nullptr) {
        const std::vector<const char *> texts = detail::pointers(variations);
        simhost_ensemble_options given = simhost_ensemble_options_default();
        given.members = members;
        given.variations = texts.data();
        given.variation_count = texts.size();
        options.as_c(path, [&](const simhost_options &world) {
            const std::int32_t code = api().ensemble_open(&world, &given, &handle_);
            if (code != SIMHOST_OK) {
                Ensemble failed(std::exchange(handle_, nullptr));
                failed.check(code);
            }
        });
    }
    Ensemble(Ensemble &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Ensemble &operator=(Ensemble &&other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Ensemble() { api().ensemble_close(&handle_); }

    std::size_t members() const {
        std::size_t members = 0;
        check(api().ensemble_members(handle_, &members));
        return members;
    }
    void step(std::uint64_t steps = 1) { check(api().ensemble_step(handle_, steps, nullptr, 0)); }
    void step(std::uint64_t steps, const std::vector<std::uint8_t> &mask) {
        check(api().ensemble_step(handle_, steps, mask.data(), mask.size()));
    }
    void run_until(double time) { check(api().ensemble_run_until(handle_, time)); }
    std::size_t command_width(const std::string &input) {
        std::size_t width = 0;
        check(api().ensemble_command_width(handle_, input.c_str(), &width));
        return width;
    }
    void set(const std::string &input, const std::vector<double> &values) {
        check(api().ensemble_set(handle_, input.c_str(), values.data(), values.size()));
    }
    void reset(const std::vector<std::uint8_t> &mask) {
        check(api().ensemble_reset(handle_, mask.data(), nullptr, mask.size()));
    }
    /* Selects quantities by patterns, one per line. `width` gets the number of values per member. */
    simhost_quantities select(const std::string &patterns, std::size_t *width = nullptr) {
        simhost_quantities quantities = 0;
        check(api().ensemble_select(handle_, patterns.c_str(), &quantities, width));
        return quantities;
    }
    /* Fills a matrix of members × width values. */
    void read(simhost_quantities quantities, std::vector<double> &matrix) {
        check(api().ensemble_read(handle_, quantities, matrix.data(), matrix.size()));
    }
    std::vector<std::uint8_t> ended() const {
        return detail::filled<std::vector<std::uint8_t>>(
            0, [this](std::uint8_t *to, std::size_t capacity, std::size_t *count) {
                check(api().ensemble_ended(handle_, to, capacity, count));
            });
    }
    std::string result_hash(std::size_t member) {
        char hash[SIMHOST_HASH_CAPACITY];
        check(api().ensemble_result_hash(handle_, member, hash, sizeof hash));
        return hash;
    }
    Session session(std::size_t member) {
        simhost_session *session = nullptr;
        check(api().ensemble_session(handle_, member, &session));
        return Session(session);
    }

private:
    explicit Ensemble(simhost_ensemble *handle) noexcept : handle_(handle) {}

    void check(std::int32_t code) const {
        if (code != SIMHOST_OK) {
            detail::fail(code, handle_, api().ensemble_error);
        }
    }

    simhost_ensemble *handle_;
};

} // namespace simhost

#endif
