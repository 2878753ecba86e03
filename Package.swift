// swift-tools-version: 6.2

import PackageDescription

/// The house in one list: what each target is, where it lies and what it may import.
/// Every import points down; `Tools/check` compares this list with the sources.
let package = Package(
  name: "Kymograph",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Kymograph", targets: ["Kymograph"]),
    .library(name: "KymographEngine", targets: ["KymographEngine"]),
    .library(name: "KymographAnalysis", targets: ["KymographAnalysis"]),
    .library(name: "KymographTesting", targets: ["KymographTesting"]),
    .library(name: "KymographUIKit", targets: ["KymographUIKit"]),
    .executable(name: "kymo", targets: ["kymo"]),
  ],
  targets: [
    // Level 0: name what the system has.
    .systemLibrary(
      name: "KymographCSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .systemLibrary(name: "KymographCThread"),
    .target(name: "KymographCLibrary"),

    // Level 1: know nothing of the rest.
    .executableTarget(name: "embed-text", path: "Tools/embed-text"),
    .plugin(name: "EmbedText", capability: .buildTool(), dependencies: ["embed-text"]),
    .target(
      name: "TimelineSchema", dependencies: ["KymographCLibrary"], path: "Migrations",
      exclude: ["README.md"],
      plugins: ["EmbedText"]),
    .target(
      name: "TimelineModel"),
    .target(name: "JSONText"),
    .target(
      name: "WebRecorder", path: "Tools/web", exclude: ["README.md"], plugins: ["EmbedText"]),
    .target(
      name: "PublicSymbols", path: "Tools/public-symbols", plugins: ["EmbedText"]),
    .target(
      name: "TimelineStatistics", dependencies: ["KymographCLibrary"],
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),

    .target(
      name: "ProcessSpawning", dependencies: ["KymographCLibrary"]),

    // Level 2: wrap C, pure maths, draw, drive a browser.
    .target(
      name: "PageBrowser",
      dependencies: [
        "JSONText", "KymographCLibrary", "ProcessSpawning", "TimelineModel", "WebRecorder",
      ], exclude: ["README.md"],
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(
      name: "MotionPhysics", dependencies: ["KymographCLibrary", "TimelineModel"],
      exclude: ["README.md"],
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(
      name: "SQLiteAccess", dependencies: ["KymographCSQLite"]
    ),
    .target(
      name: "TimelineRendering", dependencies: ["KymographCLibrary", "TimelineModel"],
      exclude: ["README.md"]),
    .target(
      name: "PictureTracking", dependencies: ["KymographCLibrary"], exclude: ["README.md"],
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(
      name: "VideoReading", dependencies: ["KymographCLibrary", "ProcessSpawning"],
      exclude: ["README.md"]),
    .target(
      name: "BenchmarkYardsticks", dependencies: ["KymographCSQLite"],
      path: "Tools/benchmark-yardsticks"),

    // Level 3: keep, move, read.
    .target(
      name: "TransitionEngine", dependencies: ["TimelineModel", "MotionPhysics"],
      exclude: ["README.md"]),
    .target(
      name: "AppTimeline", dependencies: ["TimelineModel", "MotionPhysics"], exclude: ["README.md"]),
    .target(
      name: "GestureInput", dependencies: ["KymographCLibrary", "TimelineModel", "JSONText"],
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(
      name: "TimelineStore",
      dependencies: ["KymographCLibrary", "TimelineModel", "TimelineSchema", "SQLiteAccess"],
      exclude: ["README.md", "Journal/README.md", "Blocks/README.md"]),

    // Level 4: repair, record, read in columns, try out.
    .target(
      name: "RecordingRepair",
      dependencies: [
        "SQLiteAccess", "TimelineModel", "TimelineSchema", "TimelineStore",
      ]),
    .target(
      name: "TimelineRecorder",
      dependencies: ["KymographCLibrary", "KymographCThread", "TimelineModel", "TimelineStore"],
      exclude: ["README.md"]),
    .target(
      name: "TimelineSession",
      dependencies: ["JSONText", "KymographCLibrary", "TimelineModel", "TimelineStore"],
      exclude: ["README.md"]),
    .target(
      name: "TransitionScenarios",
      dependencies: [
        "TransitionEngine", "GestureInput", "JSONText", "TimelineModel", "MotionPhysics",
      ], plugins: ["EmbedText"]),

    // Level 5: measure.
    .target(
      name: "MotionMeasures",
      dependencies: [
        "JSONText", "KymographCLibrary", "MotionPhysics", "TimelineModel", "TimelineSession",
        "TimelineStore",
      ], exclude: ["README.md", "Fitting/README.md"]),

    // Level 6: judge, export.
    .target(
      name: "MotionJudgement",
      dependencies: [
        "GestureInput", "JSONText", "KymographCLibrary", "MotionMeasures", "MotionPhysics",
        "TimelineModel", "TimelineSession", "TimelineStore",
      ], exclude: ["README.md"]),
    .target(
      name: "TimelineInterchange",
      dependencies: [
        "GestureInput", "JSONText", "KymographCLibrary", "TimelineModel", "TimelineSession",
        "MotionMeasures", "TimelineRendering", "TimelineStore",
      ],
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),

    // Level 7: study many sessions, run again.
    .target(
      name: "GestureRerun",
      dependencies: [
        "JSONText", "MotionPhysics", "TimelineModel", "TimelineSession", "MotionMeasures",
        "MotionJudgement", "TimelineStore", "TransitionScenarios",
      ], exclude: ["README.md"]),
    .target(
      name: "RunStudies",
      dependencies: [
        "MotionJudgement", "MotionMeasures", "MotionPhysics", "TimelineModel", "TimelineSession",
        "TimelineStatistics", "TimelineStore",
      ], exclude: ["README.md"]),
    // Level 8: write reports.
    .target(
      name: "TimelineReport",
      dependencies: [
        "JSONText", "KymographCLibrary", "TimelineModel", "TimelineSession", "MotionMeasures",
        "MotionJudgement", "RunStudies",
        "MotionPhysics",
        "TimelineRendering", "TimelineStore",
      ], exclude: ["README.md"], plugins: ["EmbedText"]),
    // Level 9: record and read.
    .target(
      name: "Kymograph", dependencies: ["TimelineModel", "TimelineRecorder", "TimelineStore"]),

    // Level 10: the commands of the program.
    .target(
      name: "KymoCommands",
      dependencies: [
        "GestureInput", "GestureRerun", "JSONText", "MotionPhysics", "TransitionScenarios",
        "TimelineStatistics", "KymographCLibrary", "PageBrowser", "ProcessSpawning",
        "PublicSymbols", "RecordingRepair",
        "TimelineInterchange", "TimelineModel", "TimelineSession", "MotionMeasures",
        "MotionJudgement", "RunStudies", "PictureTracking",
        "TimelineRecorder",
        "TimelineRendering",
        "TimelineReport", "TimelineStore", "TransitionEngine", "VideoReading", "WebRecorder",
      ], exclude: ["README.md", "Workers/README.md"]),

    // The products and the programs.
    .target(
      name: "KymographEngine",
      dependencies: [
        "GestureInput", "Kymograph", "MotionPhysics", "TransitionEngine", "TransitionScenarios",
      ]),
    .target(
      name: "KymographAnalysis",
      dependencies: [
        "Kymograph", "MotionPhysics", "TimelineInterchange", "TimelineSession", "MotionMeasures",
        "MotionJudgement", "RunStudies",
        "TimelineReport",
      ]),
    .target(
      name: "KymographTesting",
      dependencies: [
        "KymographCLibrary", "MotionMeasures", "MotionJudgement", "TimelineReport",
        "TimelineStore", "TimelineSession",
      ]),
    .target(
      name: "KymographUIKit",
      dependencies: [
        "AppTimeline", "Kymograph", "MotionPhysics", "TimelineModel", "TimelineRecorder",
        "TimelineStore",
      ]),
    .executableTarget(
      name: "kymo", dependencies: ["KymoCommands", "KymographCLibrary", "TimelineStore"],
      path: "Tools/kymo"),
    .executableTarget(
      name: "kymograph-benchmarks",
      dependencies: [
        "BenchmarkYardsticks", "MotionPhysics", "KymographCLibrary", "TimelineModel",
        "MotionMeasures", "MotionJudgement", "RunStudies",
        "TimelineRecorder", "TimelineRendering", "TimelineSession", "TimelineStore",
        "TransitionEngine",
      ],
      path: "Tools/benchmarks"),

    .executableTarget(
      name: "kymo-crash",
      dependencies: [
        "KymographCSQLite", "TimelineStatistics", "KymographCLibrary", "TimelineModel",
        "TimelineRecorder",
        "TimelineStore",
      ],
      path: "Tools/kymo-crash"),

    // Tests: one folder per target.
    .target(name: "TestSupport", dependencies: ["KymographCSQLite"], path: "Tests/TestSupport"),
    .target(name: "FaultVFS", dependencies: ["KymographCSQLite"], path: "Tests/FaultVFS"),
    .testTarget(
      name: "PageBrowserTests",
      dependencies: ["JSONText", "PageBrowser", "TimelineModel", "TestSupport"]),
    .testTarget(name: "TimelineModelTests", dependencies: ["TimelineModel", "TestSupport"]),
    .testTarget(name: "JSONTextTests", dependencies: ["JSONText", "TestSupport"]),
    .testTarget(
      name: "TimelineStatisticsTests", dependencies: ["TimelineStatistics", "TestSupport"],
      path: "Tests/TimelineStatisticsTests"),
    .testTarget(
      name: "MotionPhysicsTests",
      dependencies: ["KymographCLibrary", "MotionPhysics", "TimelineModel", "TestSupport"]),
    .testTarget(name: "PictureTrackingTests", dependencies: ["PictureTracking", "TestSupport"]),
    .testTarget(name: "VideoReadingTests", dependencies: ["VideoReading", "TestSupport"]),
    .testTarget(
      name: "TimelineRenderingTests",
      dependencies: ["TimelineRendering", "TimelineModel", "TestSupport"]),
    .testTarget(
      name: "TransitionEngineTests",
      dependencies: ["TransitionEngine", "MotionPhysics", "TimelineModel", "TestSupport"]),
    .testTarget(
      name: "GestureInputTests", dependencies: ["GestureInput", "TimelineModel", "TestSupport"]),
    .testTarget(
      name: "TimelineStoreTests",
      dependencies: [
        "KymographCLibrary", "RecordingRepair", "TimelineStore", "TimelineSchema", "SQLiteAccess",
        "KymographCSQLite", "TimelineModel", "TestSupport",
      ]),
    .testTarget(
      name: "TimelineRecorderTests",
      dependencies: [
        "KymographCSQLite", "RecordingRepair", "TimelineRecorder", "TimelineStore", "SQLiteAccess",
        "TimelineModel",
        "TestSupport",
      ]),
    .testTarget(
      name: "AppTimelineTests",
      dependencies: [
        "AppTimeline", "MotionPhysics", "RecordingRepair", "TimelineModel", "TimelineSession",
        "MotionMeasures", "TimelineRecorder", "TimelineStore", "TestSupport",
      ]),
    .testTarget(
      name: "TimelineAnalysisTests",
      dependencies: [
        "JSONText", "TimelineSession", "MotionMeasures", "MotionJudgement", "RunStudies",
        "TimelineRecorder", "TimelineStore",
        "TransitionScenarios",
        "TimelineStatistics", "SQLiteAccess",
        "TransitionEngine", "MotionPhysics", "TimelineModel", "TestSupport", "KymographCLibrary",
      ]),
    .testTarget(
      name: "TimelineReportTests",
      dependencies: [
        "TimelineReport", "MotionPhysics", "MotionMeasures", "MotionJudgement", "TimelineRecorder",
        "TimelineStore", "TransitionScenarios", "JSONText", "TimelineModel", "TestSupport",
      ]),
    .testTarget(
      name: "TimelineInterchangeTests",
      dependencies: [
        "TimelineInterchange", "TimelineRecorder", "TimelineStore", "TransitionScenarios",
        "GestureInput",
        "JSONText", "TimelineModel", "TestSupport",
      ],
      path: "Tests/TimelineInterchangeTests"),
    .testTarget(
      name: "TransitionScenariosTests",
      dependencies: [
        "TransitionScenarios", "TransitionEngine", "GestureInput", "JSONText", "MotionPhysics",
        "TimelineModel", "TestSupport",
      ],
      path: "Tests/TransitionScenariosTests"),
    .testTarget(
      name: "FaultTests",
      dependencies: [
        "KymoCommands", "kymo-crash", "FaultVFS", "KymographCSQLite", "RecordingRepair",
        "TimelineRecorder",
        "TimelineStore", "TimelineSchema", "TimelineModel", "TestSupport",
      ]),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "GestureInput", "JSONText", "RecordingRepair", "TransitionScenarios", "TransitionEngine",
        "TimelineInterchange", "MotionMeasures", "MotionJudgement", "RunStudies",
        "TimelineRecorder", "TimelineStore",
        "TimelineModel",
      ],
      path: "Tests/FuzzTargets"),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"]),
    .testTarget(
      name: "KymographTestingTests",
      dependencies: [
        "KymographTesting", "TimelineModel", "MotionJudgement", "TimelineRecorder",
        "TimelineStore", "TestSupport",
      ]),
    .testTarget(
      name: "KymographTests",
      dependencies: ["Kymograph", "KymographAnalysis", "KymographEngine", "TestSupport"]),
    .testTarget(
      name: "KymoTests",
      dependencies: [
        "kymo", "kymograph-benchmarks", "kymo-crash", "KymoCommands", "KymographEngine",
        "AppTimeline", "KymographAnalysis", "KymographCSQLite", "JSONText", "PageBrowser",
        "MotionJudgement", "MotionPhysics", "TimelineInterchange", "TimelineModel",
        "TimelineRecorder", "TimelineReport", "TimelineStore", "TestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// The library for C. Swift 6.3 is the first that implements a C header's functions (`@c`, SE-0495); below it these targets
// are left out, and with KYMOGRAPH_WITHOUT_C as well.
#if compiler(>=6.3)
  if Context.environment["KYMOGRAPH_WITHOUT_C"] == nil {
    package.targets += [
      // Level 0: the header, and the locks of the library's own SQLite.
      .systemLibrary(name: "KymographCHeader"),
      .target(
        name: "KymographCLocks", dependencies: ["KymographCSQLite"]),

      // The products and the programs.
      .target(
        name: "KymographC",
        dependencies: [
          "AppTimeline", "KymographCHeader", "KymographCLibrary", "KymographCLocks",
          "MotionPhysics", "TimelineModel", "TimelineRecorder", "TimelineStore",
        ], exclude: ["README.md"]),
    ]
    // The fuzz targets call it, and say so by a flag.
    for target in package.targets where ["FuzzTargets", "FuzzTests"].contains(target.name) {
      target.dependencies += ["KymographC", "KymographCHeader"]
      target.swiftSettings = [.define("KYMOGRAPH_C")]
    }
    // Tools/library links the objects of this product: flags of the linker in a manifest keep others from depending on it.
    if Context.environment["KYMOGRAPH_LIBRARY"] != nil {
      package.products.append(
        .library(name: "KymographC", type: .static, targets: ["KymographC"]))
    }
  }
#endif

// One rule for every Swift target: each public type says whether it is Sendable, existentials are
// spelled out, a member is used only through a module that the file imports, and a debug build has no warnings.
for target in package.targets where ![.system, .plugin].contains(target.type) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .treatAllWarnings(as: .error, .when(configuration: .debug)),
      .treatWarning("ExplicitSendable", as: .error),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// Tools/fuzz builds the fuzz targets as an archive, which the fuzzer's own main is linked to. Everything in it has the
// sanitizer and counts its branches; embed-text, which runs during the build, has not.
if Context.environment["KYMO_FUZZ"] != nil {
  package.products.append(
    .library(name: "FuzzTargets", type: .static, targets: ["FuzzTargets"]))
  for target in package.targets where target.type == .regular {
    target.swiftSettings? += [.unsafeFlags(["-sanitize=fuzzer,address"]), .define("KYMO_FUZZ")]
  }
}

// Tools/test NAME… builds the tests of these targets and of no others.
if let names = Context.environment["KYMOGRAPH_TESTS"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

// Tools/demo gives the first answer sooner: only the targets that a person would wait for are optimised. A package that
// depends on this one never gets the flags.
if Context.environment["KYMOGRAPH_QUICK"] != nil {
  let names: Set = ["MotionPhysics", "PictureTracking"]
  for target in package.targets
  where ![.system, .plugin, .test].contains(target.type) && !names.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
  }
  for target in package.targets where target.name == "KymoCommands" {
    target.swiftSettings?.append(.define("KYMOGRAPH_QUICK"))
  }
}

// The whole run of Tools/test optimises the targets whose tests compute for long, in a folder of its own. A package
// that depends on this one never gets the flag.
if Context.environment["KYMOGRAPH_OPTIMIZED_TESTS"] != nil {
  let names: Set = [
    "TimelineModel", "JSONText", "MotionPhysics", "GestureInput", "PictureTracking",
    "VideoReading", "SQLiteAccess", "TimelineStore", "RecordingRepair", "TimelineRecorder",
    "TimelineSession",
    "MotionMeasures", "MotionJudgement", "RunStudies",
  ]
  for target in package.targets where names.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
  }
}
