import KymographCLibrary

/// Does a piece of work that writes files, during which a write beyond the limit on the size of files is an error and
/// not a signal.
///
/// The system sends SIGXFSZ with that error, which would end an app that does not handle it. The signal is held back from
/// the calling thread alone, and what comes of the work's own writes is taken away. No handler of the app is touched.
func withoutFileSizeSignal<Result: ~Copyable, Failure: Error>(
  _ work: () throws(Failure) -> Result
) throws(Failure) -> Result {
  var (signals, before) = (sigset_t(), sigset_t())
  sigemptyset(&signals)
  sigaddset(&signals, SIGXFSZ)
  guard pthread_sigmask(SIG_BLOCK, &signals, &before) == 0, sigismember(&before, SIGXFSZ) == 0
  else { return try work() }
  defer {
    var waiting = sigset_t()
    if sigpending(&waiting) == 0, sigismember(&waiting, SIGXFSZ) == 1 {
      var signal: Int32 = 0
      sigwait(&signals, &signal)
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
  return try work()
}
