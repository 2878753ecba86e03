import TimelineModel
import TimelineStore
import TransitionScenarios

extension Command {
  /// Every command, in the order in which help lists them.
  static var all: [Command] { groups.flatMap(\.entries).flatMap(\.commands) }

  /// The commands as help lists them.
  static var groups: [CommandGroup] {
    [
      CommandGroup(
        title: "Record",
        makers: [
          { CommandEntry(recordCommand()) }, { CommandEntry(watchCommand()) },
          { CommandEntry(exportCommand()) },
        ]),
      CommandGroup(
        title: "Replay",
        makers: [
          { CommandEntry(replayCommand()) }, { CommandEntry(showCommand()) },
          {
            CommandEntry(
              family: "list", "Print keys, events, touches, decisions, … as rows",
              [
                listSessionsCommand(), listKeysCommand(), listEventsCommand(), listTouchesCommand(),
                listViewCommand(.transitions), listViewCommand(.decisions),
                listViewCommand(.estimates), listLabelsCommand(), listViewCommand(.losses),
              ])
          },
          { CommandEntry(reportCommand()) }, { CommandEntry(plotCommand()) },
          { CommandEntry(sqlCommand()) },
        ]),
      CommandGroup(
        title: "Velocity",
        makers: [
          { CommandEntry(velocityCommand()) },
          { CommandEntry(fitCommand()) },
          { CommandEntry(rerunCommand()) },
          { CommandEntry(labelCommand()) },
          { CommandEntry(ruleTryCommand()) },
          { CommandEntry(ruleTuneCommand()) },
        ]),
      CommandGroup(
        title: "Compare",
        makers: [
          { CommandEntry(compareCommand()) },
          { CommandEntry(checkCommand()) },
          { CommandEntry(goldenAcceptCommand()) },
          { CommandEntry(goldenLearnCommand()) },
        ]),
      CommandGroup(
        title: "More",
        makers: [
          { CommandEntry(rowsCommand()) },
          {
            CommandEntry(
              family: "file", "Examine, repair, shrink, join and cut recordings",
              [
                fileDoctorCommand(), fileRecoverCommand(), filePackCommand(), fileUnpackCommand(),
                fileMergeCommand(), fileTrimCommand(), fileDeleteCommand(), fileMigrateCommand(),
              ])
          },
          {
            CommandEntry(
              family: "scenario", "Check a scenario file, print its schema or its layouts",
              [scenarioCheckCommand(), scenarioSchemaCommand(), scenarioLayoutCommand()])
          },
          {
            CommandEntry(
              family: "curve", "Print an easing curve, a settle, or a spring in other systems",
              [curveEaseCommand(), curveSettleCommand()])
          },
          { CommandEntry(webRecorderCommand()) }, { CommandEntry(mcpCommand()) },
        ]),
    ]
  }
}

var programVersion: String { "\(PackageVersion.text)" }

/// The program as it names itself in a recording.
var programName: String { "kymo \(programVersion)" }

/// The version that `kymo --version` prints.
var versionText: String {
  "\(programName) (engine \(engineVersion), recording schema \(RecordingFormat.schemaVersion), "
    + "SQLite \(RecordingFormat.sqliteVersion)), \(buildName)"
}

/// How the compiler was told to build this program.
private var buildName: String {
  #if KYMOGRAPH_QUICK
    return "quick build"
  #else
    var isOptimized = true
    // The compiler leaves it out of an optimised program.
    assert(
      {
        isOptimized = false
        return true
      }())
    return isOptimized ? "optimised build" : "debug build"
  #endif
}
