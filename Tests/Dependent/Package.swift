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
      dependencies: [
        product("KymographEngine"), "Statistics", "Scenarios", "CSQLite", "TestSupport",
      ]),
    .target(name: "UsesAnalysis", dependencies: [product("KymographAnalysis")]),
    .target(
      name: "UsesTesting",
      dependencies: [product("KymographTesting"), product("KymographAnalysis")]),
    .target(name: "UsesUIKit", dependencies: [product("KymographUIKit")]),
    .target(
      name: "AllNames",
      dependencies: [
        "SwiftUINames", product("Kymograph"), product("KymographAnalysis"),
        product("KymographEngine"), product("KymographTesting"),
      ]),
    .target(name: "SwiftUINames"),
    .target(name: "Statistics"),
    .target(name: "Scenarios"),
    .target(name: "CSQLite"),
    .target(name: "TestSupport"),
  ],
  swiftLanguageModes: [.v6]
)
