# The example embed.c in Julia, with quantities in place of streams. It has not been run: no Julia was at hand.
#
#     julia framework/capi/examples/embed.jl target/release/libsimhost.so worlds/demo.world.xml

using Libdl

const ABSENT = C_NULL

# simhost_options; fields that are not set are null and 0
struct Options
    size::Csize_t
    path::Cstring
    text::Ptr{Cvoid}
    seed::Ptr{UInt64}
    plugin_folders::Ptr{Cvoid}
    plugin_folder_count::Csize_t
    out::Ptr{Cvoid}
    compat::Ptr{Cvoid}
    log::Ptr{Cvoid}
    log_user::Ptr{Cvoid}
    threads::UInt32
    log_level::UInt32
    force::UInt32
    lenient::UInt32
    allow::UInt32
    reserved::UInt32
end

library, world = ARGS
table = ccall(dlsym(dlopen(library), :simhost_api), Ptr{Ptr{Cvoid}}, (UInt32,), 1)
table == C_NULL && error("the library has another version")

# functions by their places in simhost_functions, counted from 1: the first place is the size
entry(place) = unsafe_load(table, place)
const OPEN, CLOSE, RUN_UNTIL = entry(4), entry(5), entry(11)
const COMMAND_FIND, COMMAND, FIND, READ = entry(15), entry(16), entry(17), entry(19)
check(code) = code == 0 || error("simhost returned the code $code")

session = Ref{Ptr{Cvoid}}(C_NULL)
GC.@preserve world begin
    path = Base.unsafe_convert(Cstring, world)
    options = Ref(Options(sizeof(Options), path, ABSENT, ABSENT, ABSENT, 0, ABSENT, ABSENT, ABSENT, ABSENT, 0, 0, 0, 0, 0, 0))
    check(ccall(OPEN, Int32, (Ref{Options}, Ref{Ptr{Cvoid}}), options, session))
end

twist = Ref{UInt64}(0)
check(ccall(COMMAND_FIND, Int32, (Ptr{Cvoid}, Cstring, Cstring, Ref{UInt64}, Ptr{Csize_t}),
            session[], "robot", "twist", twist, C_NULL))
check(ccall(COMMAND, Int32, (Ptr{Cvoid}, UInt64, Ptr{Cdouble}, Csize_t), session[], twist[], [1.0, 0.0, 0.0], 3))
pose = Ref{UInt64}(0)
check(ccall(FIND, Int32, (Ptr{Cvoid}, Cstring, Ref{UInt64}, Ptr{Csize_t}), session[], "robot/pose", pose, C_NULL))

values = zeros(6)
for second in 1:2
    check(ccall(RUN_UNTIL, Int32, (Ptr{Cvoid}, Cdouble, Ptr{UInt32}), session[], second, C_NULL))
    check(ccall(READ, Int32, (Ptr{Cvoid}, UInt64, Ptr{Cdouble}, Csize_t, Ptr{Csize_t}),
                session[], pose[], values, 6, C_NULL))
    println("$second s: at $(round(values[1]; digits=3)), $(round(values[2]; digits=3)) m")
end
ccall(CLOSE, Int32, (Ref{Ptr{Cvoid}},), session)
