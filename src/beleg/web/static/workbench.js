// Pages work without this script. It marks that scripts run, so that controls which need one are shown.
"use strict";
document.documentElement.classList.add("js");
