// swift-tools-version: 6.2

import PackageDescription

// A package as an app has one: it depends on each product, and has targets of plain names itself.
func product(_ name: String) -> Target.Dependency { .product(name: name, package: "Kymograph") }

let package = Package(
  name: "Dependent",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "Kymograph", path: "../..")],
  targets: [
    .executableTarget(name: "RecordAndRead", dependencies: [product("Kymograph")]),
    .target(
      name: "UsesEngine",
      dependencies: [product("KymographEngine"), "Statistics", "Scenarios", "CSQLite"]),
    .target(name: "UsesAnalysis", dependencies: [product("KymographAnalysis")]),
    .target(
      name: "UsesTesting",
      dependencies: [product("KymographTesting"), product("KymographAnalysis")]),
    .target(name: "UsesUIKit", dependencies: [product("KymographUIKit")]),
    // The examples of the manual as an app has them; ./build copies them here.
    .target(
      name: "ManualExamples",
      dependencies: [product("KymographEngine"), product("KymographAnalysis")]),
    .target(
      name: "AllNames",
      dependencies: [
        "SwiftUINames", product("Kymograph"), product("KymographAnalysis"),
        product("KymographEngine"), product("KymographTesting"),
        // With these it stands for all targets: ./build builds it and the program.
        "UsesEngine", "UsesAnalysis", "UsesTesting", "UsesUIKit", "ManualExamples",
      ]),
    .target(name: "SwiftUINames"),
    .target(name: "Statistics"),
    .target(name: "Scenarios"),
    .target(name: "CSQLite"),
    // Its name alone matters, which a target has that no product of ours brings. ./build leaves it out: in the folder of
    // the whole run it would take the files of that target.
    .target(name: "TestSupport"),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [.treatAllWarnings(as: .error, .when(configuration: .debug))]
}
