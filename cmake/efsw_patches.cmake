# What is mended in efsw's own sources before they are built. Each change is a text and what stands in
# its place, looked for to the letter: a release in which one of them is not found stops the configure,
# because then somebody has to look whether that release still needs it.

# Replaces `old` by `new` in `file`, which must have it.
function(daybook_efsw_replace file old new)
  file(READ "${file}" text)
  string(FIND "${text}" "${old}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${file} is not as cmake/efsw_patches.cmake knows it: this release of efsw "
                        "has to be looked at first.")
  endif()
  string(REPLACE "${old}" "${new}" text "${text}")
  file(WRITE "${file}" "${text}")
endfunction()

# Mends the sources in `folder`, which are ours to change.
function(daybook_efsw_patch folder)
  set(header "${folder}/src/efsw/FileWatcherInotify.hpp")
  set(source "${folder}/src/efsw/FileWatcherInotify.cpp")

  # Two threads touch it: a data race, which ThreadSanitizer reports whenever a watcher is destroyed.
  daybook_efsw_replace("${header}" "bool mIsTakingAction" "Atomic<bool> mIsTakingAction")

  # The destructor joined its thread while it held the lock that this thread may be about to take, so
  # that it could wait for ever. Nothing else adds or removes watches by then.
  daybook_efsw_replace("${source}" "\tLock initLock( mInitLock );\n\n\tefSAFE_DELETE( mThread );"
                       "\tefSAFE_DELETE( mThread );")

  # The kernel tells that its queue ran over with an event of no watch, which efsw drops. It is
  # counted instead.
  daybook_efsw_replace("${source}" "namespace efsw {\n\nFileWatcherInotify::FileWatcherInotify"
                       "namespace efsw {\n\nstd::atomic<unsigned long> daybook_overflows{ 0 };\n\n\
FileWatcherInotify::FileWatcherInotify")
  daybook_efsw_replace("${source}" "#include <algorithm>\n" "#include <algorithm>\n#include <atomic>\n")
  daybook_efsw_replace(
    "${source}"
    "struct inotify_event* pevent = (struct inotify_event*)&buff[i];\n"
    "struct inotify_event* pevent = (struct inotify_event*)&buff[i];\n\
\t\t\t\t\tif ( pevent->mask & IN_Q_OVERFLOW )\n\
\t\t\t\t\t\t++daybook_overflows;\n")

  # It woke ten times a second to see whether it is to end or a move has no second half, which was
  # most of what an idle service cost. Only the move is in a hurry.
  daybook_efsw_replace("${source}" "timeout.tv_usec = 100000;"
                       "timeout.tv_usec = currentMoveFrom ? 100000 : 250000;")

  # Four megabytes that are touched at once, in a service that wants to be hardly there.
  daybook_efsw_replace("${source}" "FILENAME_MAX ) * 1024 )" "FILENAME_MAX ) * 16 )")
endfunction()
